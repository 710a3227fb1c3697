import HTTPTypes
package import Hummingbird

/// Signing in and out.
package struct SignInRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/sign-in") { request, context in
            let next = request.uri.queryParameters["next"].map(String.init) ?? "/"
            return try await services.page("sign-in", ["next": .text(LocalPath.checked(next))], context)
        }
        router.post("/sign-in") { request, context in
            let name = context.form["name"] ?? ""
            let next = LocalPath.checked(context.form["next"] ?? "/")
            do {
                let token = try await services.accounts.signIn(
                    name: name, password: context.form.raw("password") ?? "", address: context.address,
                    at: services.now())
                var response = services.redirect(to: next)
                BrowserCookies.set(.session, token, isSecure: context.isSecure, in: &response)
                return response
            } catch let error as Refusal where error.status == 422 || error.status == 429 {
                let values: [String: PageValue] = [
                    "name": .text(name), "next": .text(next), "problem": .text(error.problem),
                ]
                var response = try await services.page("sign-in", values, context, status: .init(code: error.status))
                if let seconds = error.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
                return response
            }
        }
        router.post("/sign-out") { request, context in
            if let token = BrowserCookies.value(.session, of: request, isSecure: context.isSecure) {
                await services.accounts.signOut(session: token, at: services.now())
            }
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
}
