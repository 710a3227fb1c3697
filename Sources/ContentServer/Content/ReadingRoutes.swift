import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Media
import NIOCore
import Serving
import SiteFormat

/// What devices read, exactly as a static host would serve it: `/v1/…`.
package struct ReadingRoutes: RouteGroup {
    private static let transfers = FileTransfers()

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/v1/**") { request, context in
            if let token = services.settings.readToken {
                guard isSameSecret(TokenAccess.bearer(of: request) ?? "", token) else {
                    throw Refusal(
                        401, "the token is missing or wrong", whatToDo: "send it as Authorization: Bearer TOKEN")
                }
            }
            // A path is looked up as it is, never decoded and never taken for one of the file system.
            let path = String(context.path.dropFirst("/v1/".count))
            guard path.utf8.count <= Self.longestPath, let file = try await services.publisher.file(path) else {
                throw Refusal(
                    404, "nothing is published at \(context.path)", whatToDo: "read /v1/site.json, the list of all")
            }
            switch file {
            case .bytes(let bytes, let hash, let isImmutable):
                let isJSON = path.hasSuffix(".json")
                return Self.whole(
                    bytes, hash, isJSON ? "application/json" : "application/octet-stream", isImmutable: isImmutable,
                    request)
            case .media(let path, let hash, let asset):
                let headers = Self.headers(hash, asset.mediaType, isImmutable: true)
                guard !EntityTag.matches(request.headers[.ifNoneMatch], headers[.eTag] ?? "") else {
                    return Self.notModified(headers)
                }
                return try await FileResponse.make(
                    path, headers, request, Self.transfers, to: context.client, realm: CuratorRouter.realm)
            }
        }
    }

    // MARK: - Parts

    /// `signatures/` or `manifests/`, a hash, and `.json` are shorter.
    private static let longestPath = 120

    private static func headers(_ hash: AssetHash, _ mediaType: String, isImmutable: Bool) -> HTTPFields {
        [
            .contentType: mediaType, .eTag: "\"\(hash)\"",
            .cacheControl: isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
            // Even if a browser opened such a file as a page, nothing in it could run.
            .contentSecurityPolicy: "default-src 'none'; sandbox",
        ]
    }

    private static func notModified(_ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.contentType] = nil
        return Response(status: .notModified, headers: headers)
    }

    /// Small documents, which are in memory.
    private static func whole(
        _ body: [UInt8], _ hash: AssetHash, _ mediaType: String, isImmutable: Bool, _ request: Request
    ) -> Response {
        var headers = headers(hash, mediaType, isImmutable: isImmutable)
        guard !EntityTag.matches(request.headers[.ifNoneMatch], headers[.eTag] ?? "") else {
            return notModified(headers)
        }
        headers[.acceptRanges] = "bytes"
        let isCurrent = request.headers[.ifRange].map { $0 == headers[.eTag] } ?? true
        guard isCurrent, let asked = request.headers[.range], let range = ByteRange(asked, of: body.count) else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
        }
        guard case .part(let part) = range else {
            var response = Refusal(
                416, "the document has \(body.count) bytes", whatToDo: "ask for a part of these"
            ).response(realm: CuratorRouter.realm)
            response.headers[.contentRange] = "bytes */\(body.count)"
            return response
        }
        headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound)/\(body.count)"
        return Response(
            status: .partialContent, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body[part])))
    }
}
