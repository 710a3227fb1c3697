import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Platform
import Serving

/// Third-party scripts and styles, from the folder that tools/web-assets writes. Read once at the start.
package struct VendorRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        let files = services.settings.vendor.map { VendorFiles(folder: $0) } ?? VendorFiles()
        router.get("/vendor/**") { request, context in
            guard let file = files[context.parameters.getCatchAll().joined(separator: "/")] else {
                throw Refusal.notFound(context.path)
            }
            let headers: HTTPFields = [.contentType: file.type, .cacheControl: "no-cache", .eTag: file.tag]
            guard !EntityTag.matches(request.headers[.ifNoneMatch], file.tag) else {
                return Response(status: .notModified, headers: headers)
            }
            return Response(status: .ok, headers: headers, body: .init(file.octets, to: context.client))
        }
    }
}

/// The files of a folder with folders in it, by path.
struct VendorFiles: Sendable {
    struct File: Sendable {
        var octets: [UInt8]
        var type: String
        var tag: String
    }

    private(set) var files: [String: File] = [:]
    static let mostFiles = 200

    init() {}

    init(folder: String) {
        for inner in Self.names(folder) {
            for name in Self.names("\(folder)/\(inner)") where files.count < Self.mostFiles {
                guard let octets = FileContents.read("\(folder)/\(inner)/\(name)") else { continue }
                files["\(inner)/\(name)"] = File(
                    octets: octets, type: Assets.mediaType(of: name), tag: Assets.tag(of: octets))
            }
        }
    }

    subscript(path: String) -> File? { files[path] }

    private static func names(_ folder: String) -> [String] {
        Array(FolderListing.names(in: folder).filter { !$0.hasPrefix(".") }.sorted().prefix(mostFiles))
    }
}
