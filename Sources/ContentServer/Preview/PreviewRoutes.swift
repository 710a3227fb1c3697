import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import Media
import Publishing
import Serving

/// "As the visitor sees it": the visitors' page with the drafts, on a walk past their beacons.
package struct PreviewRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/preview") { _, context in
            let account = try context.signedIn(.editor).account
            return try await Self.page(
                services, context, preview: await services.previews.preview(of: account),
                beacon: try await Self.beacon(context.query, services))
        }
        router.post("/preview") { _, context in
            let account = try context.signedIn(.editor).account
            if context.form["stop"] != nil {
                await services.previews.stop(for: account)
                return services.redirect(to: "/preview")
            }
            let beacon = context.form["beacon"].flatMap { DocumentID($0) }
            let drafts = try await services.store.drafts()
            let site = drafts[.site]?.site ?? SiteDocument()
            guard let walk = PreviewWalk(drafts, language: site.languages, from: beacon) else {
                return try await Self.page(
                    services, context, preview: nil, problem: "preview.no_beacon", status: .unprocessableContent)
            }
            let media = services.media
            let built: BuiltRevision
            do {
                built = try await services.publisher.preview(of: drafts)
            } catch let error as PublishingError {
                throw Refusal(422, error, remedy: "correct it, and start the preview again")
            }
            _ = try await services.previews.start(walk, for: account) { folder in
                try folder.fill(built) { media.path(of: $0) }
            }
            // It takes seconds, and whoever has ended the account meanwhile has found no preview.
            await services.endPreview(of: account)
            return services.redirect(to: beacon.map { "/preview?beacon=\($0)" } ?? "/preview")
        }
        // The router takes a path for the same with and without a slash at its end.
        for path in ["/preview/view/{preview}", "/preview/view/{preview}/**"] {
            router.get(RouterPath(path)) { request, context in
                try await Self.view(request, context, services)
            }
        }
    }

    /// A file of the visitors' page, or what it asks for.
    private static func view(
        _ request: Request, _ context: CuratorContext, _ services: CuratorServices
    ) async throws -> Response {
        let account = try context.signedIn(.editor).account
        let name = context.parameters.get("preview") ?? ""
        let prefix = "/preview/view/\(name)"
        let path = request.uri.string.dropFirst(prefix.count)
        guard request.uri.string.hasPrefix(prefix), path.hasPrefix("/") else {
            // The page's addresses are relative to its folder.
            return services.redirect(to: prefix + "/")
        }
        let previews = services.previews
        let socket = try await previews.socket(of: name, for: account)
        return try await PreviewProxy.answer(request, path: String(path), socket: socket) {
            // The command line, which is another process, may have removed the account meanwhile.
            guard let visitor = try await services.visitor(of: context), visitor.role >= .editor else {
                await services.endPreview(of: account)
                throw CancellationError()
            }
            await previews.touch(name)
        }
    }

    /// The beacon at which the walk is to begin: `?beacon=ID`, or that of `?image=ID`.
    private static func beacon(
        _ query: [String: String], _ services: CuratorServices
    ) async throws -> DocumentID? {
        if let image = query["image"].flatMap({ DocumentID($0) }) {
            return try await services.store.document(image).document.image?.beacon
        }
        return query["beacon"].flatMap { DocumentID($0) }
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, preview: String?, beacon: DocumentID? = nil,
        problem: String? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let texts = services.texts(context)
        let choices = try await services.beaconChoices()
        let beacons = choices.beacons.map { id, name -> PageValue in
            [
                "value": .text(id.text), "chosen": .flag(id == beacon),
                "text": .text(name.isEmpty ? texts.text("common.nameless") : name),
            ]
        }
        let values: [String: PageValue] = [
            "isInstalled": .flag(services.previews.isInstalled),
            "preview": PageValue(preview),
            "problem": problem.map { .text(texts.text($0)) } ?? .none,
            "hasBeacons": .flag(!beacons.isEmpty),
            "beacons": .list(beacons + texts.notShownOption(choices.unlisted)),
        ]
        return try await services.page("preview", values, context, status: status)
    }
}

extension CuratorServices {
    /// Ends the preview of an account that may not look at it any more. Called after the account was changed or
    /// removed.
    func endPreview(of name: String) async {
        do throws(StoreError) {
            let account = try await store.account(name)
            if account.isEnabled, account.role >= .editor { return }
        } catch {
            guard error.code == .notFound else { return }
        }
        await previews.stop(for: name)
    }
}
