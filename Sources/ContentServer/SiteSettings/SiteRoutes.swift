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
            var form = SiteForm(context.form)
            var mistakes = PageMistakes()
            let texts = services.texts(context)
            let site = form.read(into: stored.document.site ?? SiteDocument(), texts, &mistakes)
            guard mistakes.isEmpty else { return try await Self.page(form, services, context, mistakes) }
            do {
                _ = try await services.store.save(
                    .site(site), as: .site, over: form.version, by: visitor.author, at: services.now())
                return services.redirect(to: "/site?done=saved")
            } catch let error as StoreError where error.code == .conflict {
                // What was typed stays in the form; saved again, it replaces what the other one saved.
                let other = error.current?.changedBy ?? ""
                form.version = error.current?.version ?? form.version
                return try await Self.page(
                    form, services, context, problem: texts.text("site.changed", other), status: .conflict)
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
