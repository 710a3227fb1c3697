import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import Serving

/// The managing API below `/api/v1`, its OpenAPI document, and the reference page.
package struct ManagingRoutes: RouteGroup {
    package static let base = "/api/v1"

    package static let table = DocumentAPI.routes + ImageAPI.routes + PublishingAPI.routes + ExchangeAPI.routes
        + AdministrationAPI.routes

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        for route in Self.table {
            router.on(RouterPath(Self.base + route.path), method: route.method.http) { request, context in
                let author = try await TokenAccess.require(route.scope, request, context, services)
                let asked = try await APIRequest(route, request, context, services, author)
                if case .json = route.body { try await asked.checkAuthor() }
                return Self.response(try await route.handle(asked), route, to: context.client)
            }
        }
        let document = ByteBuffer(bytes: OpenAPIDocument.json)
        router.get(RouterPath(Self.base + "/openapi.json")) { _, context in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: .init(document, to: context.client))
        }
        router.get("/api") { _, context in
            try await services.page("api", ["groups": OpenAPIDocument.reference], context)
        }
    }

    private static func response(_ answer: APIAnswer, _ route: APIRoute, to client: Client) -> Response {
        if let response = answer.response { return response }
        var headers = answer.fields
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        guard let json = answer.json else { return Response(status: .init(code: route.status), headers: headers) }
        headers[.contentType] = "application/json"
        return Response(
            status: .init(code: route.status), headers: headers,
            body: .init(ByteBuffer(string: json + "\n"), to: client))
    }
}
