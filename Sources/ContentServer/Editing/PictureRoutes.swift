import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Media
import Platform
import Serving
import SiteFormat

/// The library's files and small versions of its pictures, for those who are signed in.
package struct PictureRoutes: RouteGroup {
    private static let transfers = FileTransfers()

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/media/:id/file") { request, context in
            try context.signedIn()
            guard let id = context.parameters.get("id").flatMap({ DocumentID($0) }),
                let media = try await services.store.documents([id])[id]?.document.media
            else { throw Refusal.notFound(context.path) }
            let headers: HTTPFields = [
                .contentType: media.mediaType, .eTag: "\"\(media.hash)\"", .cacheControl: "private, no-cache",
                // Even if a browser opened it as a page, nothing in it could run.
                .contentSecurityPolicy: "default-src 'none'; sandbox",
            ]
            return try await FileResponse.make(
                services.media.path(of: media.hash), headers, request, Self.transfers, to: context.client,
                realm: CuratorRouter.realm)
        }
        router.get("/pictures/:hash/:size") { request, context in
            try context.signedIn()
            guard let hash = context.parameters.get("hash").flatMap({ AssetHash($0) }),
                let width = context.parameters.get("size").flatMap({ Int($0) }),
                let size = ThumbnailSize(rawValue: width)
            else { throw Refusal.notFound(context.path) }
            // The picture of a hash never changes.
            let tag = "\"\(hash)-\(width)\""
            let headers: HTTPFields = [
                .contentType: "image/webp", .cacheControl: "private, max-age=31536000, immutable", .eTag: tag,
            ]
            guard !EntityTag.matches(request.headers[.ifNoneMatch], tag) else {
                return Response(status: .notModified, headers: headers)
            }
            do {
                let path = try await services.media.thumbnail(of: hash, size)
                guard let octets = try await OwnThread.run({ FileContents.read(path) }) else {
                    throw Refusal.notFound(context.path)
                }
                return Response(status: .ok, headers: headers, body: .init(octets, to: context.client))
            } catch let error as MediaError where error.code == .notFound || error.code == .unsupported {
                throw Refusal.notFound(context.path)
            }
        }
    }
}
