import CurationStore
import HTTPTypes
package import Hummingbird

/// One-time links: for the first account, for somebody who was invited, for a new password.
package struct LinkRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/link/:secret") { _, context in
            try await Self.page(services, context)
        }
        router.post("/link/:secret") { _, context in
            let secret = context.parameters.get("secret") ?? ""
            let password = context.form.raw("password") ?? ""
            var mistakes = PageMistakes()
            do throws(StoreError) {
                let name = try await services.store.useLink(
                    secret, name: context.form["name"] ?? "", password: password, at: services.now())
                let session = try await services.store.beginSession(
                    of: name, address: context.address, at: services.now())
                var response = services.redirect(to: "/")
                BrowserCookies.set(.session, session.secret, isSecure: context.isSecure, in: &response)
                return response
            } catch {
                let texts = services.texts(context)
                switch error.code {
                case .denied: break
                case .invalid where error.field == "password":
                    let length = services.store.limits.passwordLength
                    mistakes.add("password", texts.refusal(ofPassword: password, length))
                case .taken, .invalid, .limit: mistakes.add(error.field ?? "name", texts.problem(error))
                default: throw error
                }
            }
            return try await Self.page(services, context, mistakes)
        }
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, _ mistakes: PageMistakes = PageMistakes()
    ) async throws -> Response {
        let secret = context.parameters.get("secret") ?? ""
        guard let link = try await services.store.link(secret, at: services.now()) else {
            return try await services.page("link-spent", [:], context, status: .gone)
        }
        let texts = services.texts(context)
        let values: [String: PageValue] = [
            "path": .text(context.path), "title": .text(texts.text("link.\(link.kind.rawValue)")),
            "hint": link.kind == .first ? .text(texts.text("link.first.hint")) : .none,
            "account": .text(link.account.map { texts.text("link.for", $0) } ?? ""),
            "accountName": .text(link.account ?? ""),
            "asksName": .flag(link.account == nil), "name": .text(context.form["name"] ?? ""),
        ]
        return try await services.page(
            "link", mistakes.added(to: values), context, status: mistakes.isEmpty ? .ok : .unprocessableContent)
    }
}
