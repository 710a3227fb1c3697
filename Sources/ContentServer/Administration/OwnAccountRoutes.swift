import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import Text

/// What everybody may change for themselves: the password, the language and the look of the pages.
package struct OwnAccountRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/account") { _, context in
            try context.signedIn()
            return try await Self.page(services, context)
        }
        router.post("/account/look") { _, context in
            let visitor = try context.signedIn()
            var response = services.redirect(to: "/account?done=saved")
            if let tag = context.form["language"], Catalogues.tags.contains(tag) {
                try await services.store.updateAccount(visitor.account, language: tag)
                BrowserCookies.set(.language, tag, isSecure: context.isSecure, maximumAge: 31_536_000, in: &response)
            }
            let theme = Theme.checked(context.form["theme"])
            BrowserCookies.set(.theme, theme, isSecure: context.isSecure, maximumAge: 31_536_000, in: &response)
            return response
        }
        router.post("/account/password") { _, context in
            let visitor = try context.signedIn()
            return try await Self.changePassword(of: visitor.account, services, context)
        }
        // Asked by a page before it sends a form.
        router.get("/session") { _, context in
            guard let visitor = context.visitor else {
                return Response(status: .unauthorized, headers: [.cacheControl: "no-store"])
            }
            var json = JSONText()
            json.object { json in
                json.value("account", visitor.account)
                json.value("csrf", context.csrf)
            }
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: json.text)))
        }
    }

    private static func changePassword(
        of name: String, _ services: CuratorServices, _ context: CuratorContext
    ) async throws -> Response {
        let texts = services.texts(context)
        let password = context.form.raw("password") ?? ""
        var mistakes = PageMistakes()
        do throws(StoreError) {
            try await services.store.checkPassword(
                context.form.raw("current") ?? "", of: name, address: context.address, at: services.now())
            try await services.store.setPassword(password, of: name)
            // All sessions have ended, also this one: it is begun anew.
            let session = try await services.store.beginSession(of: name, address: context.address, at: services.now())
            var response = services.redirect(to: "/account?done=saved")
            BrowserCookies.set(.session, session.secret, isSecure: context.isSecure, in: &response)
            return response
        } catch {
            switch error.code {
            case .denied: mistakes.add("current", texts.text("password.wrong"))
            case .tooOften: mistakes.add("current", texts.text("sign_in.too_often", "\(error.retryAfter ?? 60)"))
            case .invalid:
                let length = services.store.limits.passwordLength
                mistakes.add("password", texts.refusal(ofPassword: password, length))
            default: throw error
            }
        }
        return try await page(services, context, mistakes)
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, _ mistakes: PageMistakes = PageMistakes()
    ) async throws -> Response {
        let texts = services.texts(context)
        let values: [String: PageValue] = [
            "themes": .list(
                Theme.all.map { theme in
                    [
                        "value": .text(theme), "isCurrent": .flag(theme == context.theme),
                        "title": .text(texts.text("account.theme.\(theme.isEmpty ? "auto" : theme)")),
                    ]
                })
        ]
        return try await services.page(
            "account", mistakes.added(to: values), context, status: mistakes.isEmpty ? .ok : .unprocessableContent)
    }
}
