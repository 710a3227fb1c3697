package import Curation
import Foundation
package import Media
import Platform

/// The pictures of full pages. Devices show pages in a sandbox that reaches no host, so the pages carry their pictures.
package struct PagePictures: Sendable {
    /// A manifest has at most 1 MiB, with all pages in all languages.
    private static let largest = 48 << 10
    private let library: MediaLibrary

    package init(_ library: MediaLibrary) {
        self.library = library
    }

    /// A small version as a `data:` address; nil if there is none that is small enough. Blocks: only for threads of
    /// one's own.
    package func address(_ media: MediaDocument) -> String? {
        let library = library
        for size in [ThumbnailSize.large, .medium, .small] {
            guard let path = try? OwnThread.wait(for: { try await library.thumbnail(of: media.hash, size) }),
                let bytes = FileManager.default.contents(atPath: path)
            else { return nil }
            if bytes.count <= Self.largest { return "data:image/webp;base64,\(bytes.base64EncodedString())" }
        }
        return nil
    }
}
