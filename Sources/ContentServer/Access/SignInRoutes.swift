import CurationStore
import HTTPTypes
package import Hummingbird

/// Signing in and out.
package struct SignInRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/sign-in") { _, context in
            try await services.page("sign-in", Self.values(next: context.query["next"]), context)
        }
        router.post("/sign-in") { _, context in
            let name = context.form["name"] ?? ""
            let next = LocalPath.checked(context.form["next"] ?? "/")
            do throws(StoreError) {
                let new = try await services.store.signIn(
                    name, password: context.form.raw("password") ?? "", address: context.address, at: services.now())
                if let former = context.session { try await services.store.endSession(former) }
                var response = services.redirect(to: next)
                BrowserCookies.set(.session, new.secret, isSecure: context.isSecure, in: &response)
                return response
            } catch {
                guard error.code == .denied || error.code == .tooOften else { throw error }
                let text = error.code == .denied ? "sign_in.wrong" : "sign_in.too_often"
                var values = Self.values(next: next)
                values["name"] = .text(name)
                values["problem"] = .text(services.texts(context).text(text, "\(error.retryAfter ?? 60)"))
                let status: HTTPResponse.Status = error.code == .denied ? .unprocessableContent : .tooManyRequests
                var response = try await services.page("sign-in", values, context, status: status)
                if let seconds = error.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
                return response
            }
        }
        router.post("/sign-out") { _, context in
            if let session = context.session { try await services.store.endSession(session) }
            var response = services.redirect(to: "/sign-in")
            BrowserCookies.set(.session, "", isSecure: context.isSecure, maximumAge: 0, in: &response)
            return response
        }
        router.post("/language") { _, context in
            var response = services.redirect(to: context.form["next"] ?? "/")
            if let tag = context.form["language"], Catalogues.tags.contains(tag) {
                BrowserCookies.set(.language, tag, isSecure: context.isSecure, maximumAge: 31_536_000, in: &response)
            }
            return response
        }
    }

    /// The page that follows signing in, and the address of this page with it: choosing a language leads back here.
    private static func values(next: String?) -> [String: PageValue] {
        let next = LocalPath.checked(next ?? "/")
        return ["next": .text(next), "here": .text("/sign-in?next=" + QueryText.encoded(next))]
    }
}
