import Curation
import CurationStore
import HTTPTypes
package import Hummingbird

/// The settings of the whole site: for administrators to change, for everybody to read.
package struct SiteRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/site") { _, context in
            try context.signedIn()
            let stored = try await services.store.site()
            let form = SiteForm(stored.document.site ?? SiteDocument(), version: stored.version)
            return try await Self.page(form, services, context)
        }
        router.post("/site") { _, context in
            let visitor = try context.signedIn(.administrator)
            let stored = try await services.store.site()
            let typed = SiteForm(context.form)
            // Version 0: nothing was saved yet.
            let seen = typed.version == 0
                ? SiteDocument() : try await services.store.keptVersion(of: .site, typed.version)?.site
            let form = typed.merged(over: seen, with: stored)
            let texts = services.texts(context)
            guard form.others.isEmpty else {
                return try await Self.page(
                    form, services, context, problem: texts.text("site.changed", stored.changedBy),
                    status: .unprocessableContent)
            }
            var mistakes = PageMistakes()
            let site = form.read(into: stored.document.site ?? SiteDocument(), texts, &mistakes)
            guard mistakes.isEmpty else { return try await Self.page(form, services, context, mistakes) }
            do {
                _ = try await services.store.save(
                    .site(site), as: .site, over: form.version, by: visitor.author, at: services.now())
                return services.redirect(to: "/site?done=saved")
            } catch let error as StoreError where error.code == .conflict {
                // Saved in this moment: the same again merges it.
                return try await Self.page(
                    form, services, context, problem: texts.text("site.changed", error.current?.changedBy ?? ""),
                    status: .unprocessableContent)
            } catch let error as StoreError where [.invalid, .limit].contains(error.code) {
                mistakes.add(error.field ?? "title", texts.problem(error))
                return try await Self.page(form, services, context, mistakes)
            }
        }
    }

    private static func page(
        _ form: SiteForm, _ services: CuratorServices, _ context: CuratorContext,
        _ mistakes: PageMistakes = PageMistakes(), problem: String = "", status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var values = form.values(services.texts(context))
        values["problem"] = .text(problem)
        return try await services.page(
            "site", mistakes.added(to: values), context, status: mistakes.isEmpty ? status : .unprocessableContent)
    }
}
