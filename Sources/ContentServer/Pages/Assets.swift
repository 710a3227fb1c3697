import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Serving
import Text

/// The server's own scripts and styles.
package struct Assets: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        let resources = Resources(folder: services.settings.resources)
        router.get("/assets/:name") { request, context in
            let name = context.parameters.get("name") ?? ""
            guard let octets = resources.octets(.assets, name) else { throw Refusal.notFound(context.path) }
            let tag = Self.tag(of: octets)
            let headers: HTTPFields = [
                .contentType: Self.mediaType(of: name), .cacheControl: "no-cache", .eTag: tag,
            ]
            guard !EntityTag.matches(request.headers[.ifNoneMatch], tag) else {
                return Response(status: .notModified, headers: headers)
            }
            return Response(status: .ok, headers: headers, body: .init(octets, to: context.client))
        }
    }

    /// Distinguishes two builds.
    static func tag(of octets: [UInt8]) -> String { "\"\(shortDigest(octets))\"" }

    static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "json", "map": "application/json"
        case "woff2": "font/woff2"
        default: "application/octet-stream"
        }
    }
}
