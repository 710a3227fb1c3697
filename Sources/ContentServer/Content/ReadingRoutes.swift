import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Media
import Serving
import SiteFormat

/// What devices read, exactly as a static host would serve it: `/v1/…`.
package struct ReadingRoutes: RouteGroup {
    private static let transfers = FileTransfers()

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/v1/**") { request, context in
            if let token = services.settings.readToken {
                guard isSameSecret(request.bearerToken ?? "", token) else {
                    throw Refusal(
                        401, "the token is missing or wrong", whatToDo: "send it as Authorization: Bearer TOKEN")
                }
            }
            // A path is looked up as it is, never decoded and never taken for one of the file system.
            let path = String(context.path.dropFirst("/v1/".count))
            guard path.utf8.count <= Self.longestPath, let file = try await services.publisher.file(path) else {
                guard path != "site.json" else {
                    throw Refusal(404, "nothing is published yet", whatToDo: "publish, on the page Publish")
                }
                throw Refusal(
                    404, "nothing is published at \(context.path)", whatToDo: "read /v1/site.json, the list of all")
            }
            let isShared = services.settings.readToken == nil
            switch file {
            case .bytes(let bytes, let hash, let isImmutable):
                let isJSON = path.hasSuffix(".json")
                let headers = Self.headers(
                    hash, isJSON ? "application/json" : "application/octet-stream", isImmutable: isImmutable,
                    isShared: isShared)
                return FileResponse.make(bytes, headers, request, to: context.client, realm: CuratorRouter.realm)
            case .media(let path, let hash, let asset):
                let headers = Self.headers(hash, asset.mediaType, isImmutable: true, isShared: isShared)
                return try await FileResponse.make(
                    path, headers, request, Self.transfers, to: context.client, realm: CuratorRouter.realm)
            }
        }
    }

    // MARK: - Parts

    /// `signatures/` or `manifests/`, a hash, and `.json` are shorter.
    private static let longestPath = 120

    /// - Parameter isShared: caches may keep it for others. What needs a token must not get to readers without one
    ///   (RFC 9111, section 3.5).
    private static func headers(
        _ hash: AssetHash, _ mediaType: String, isImmutable: Bool, isShared: Bool
    ) -> HTTPFields {
        let lasting = (isShared ? "public" : "private") + ", max-age=31536000, immutable"
        return [
            .contentType: mediaType, .eTag: "\"\(hash)\"", .cacheControl: isImmutable ? lasting : "no-cache",
            // Even if a browser opened such a file as a page, nothing in it could run.
            .contentSecurityPolicy: "default-src 'none'; sandbox",
        ]
    }
}
