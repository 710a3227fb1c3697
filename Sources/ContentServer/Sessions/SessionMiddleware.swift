import CurationStore
import HTTPTypes
package import Hummingbird
import Serving

/// Finds out who sends a request, and in which language the pages are.
package struct SessionMiddleware: RouterMiddleware {
    package typealias Context = CuratorContext

    private let services: CuratorServices

    package init(_ services: CuratorServices) {
        self.services = services
    }

    package func handle(
        _ request: Request, context: CuratorContext, next: (Request, CuratorContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.path = request.uri.path
        context.query = Dictionary(
            QueryFields.of(request.uri.query).map { ($0.name, $0.value) }) { first, _ in first }
        context.theme = Theme.checked(BrowserCookies.value(.theme, of: request, isSecure: context.isSecure))
        let chosen = BrowserCookies.value(.language, of: request, isSecure: context.isSecure)
        context.language = Catalogues.best(chosen: chosen, accepted: request.headers[.acceptLanguage])
        var newVisit: String?
        if let token = BrowserCookies.value(.session, of: request, isSecure: context.isSecure),
            let session = try await services.store.session(token, at: services.now())
        {
            context.visitor = Visitor(session)
            context.session = token
            context.language = session.account.language ?? context.language
        } else if let visit = BrowserCookies.value(.visit, of: request, isSecure: context.isSecure), !visit.isEmpty {
            context.secret = visit
        } else {
            context.secret = FormSecret.random()
            newVisit = context.secret
        }
        var response = try await next(request, context)
        // Content and assets are for caches, and need no cookie.
        if let newVisit, response.headers[.contentType]?.hasPrefix("text/html") == true {
            BrowserCookies.set(.visit, newVisit, isSecure: context.isSecure, in: &response)
        }
        return response
    }
}
