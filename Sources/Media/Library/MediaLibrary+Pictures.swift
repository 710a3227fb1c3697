package import Curation
import Glibc
import Platform
package import SiteFormat

extension MediaLibrary {
    /// A small version of a picture. It is made when it is first requested.
    ///
    /// - Returns: the path of a WebP file.
    /// - Throws: `.notFound`, or `.unsupported` if the file is not a picture.
    package func thumbnail(of hash: AssetHash, _ size: ThumbnailSize) async throws(MediaError) -> String {
        let target = folder.thumbnail(hash, size)
        if access(target, R_OK) == 0 { return target }
        try await thumbnails.run(target) { [self] () async throws(MediaError) in
            try await jobs.run { [self] () throws(MediaError) in
                let original = try stored(hash)
                let made = try WorkFile(in: folder)
                _ = try helper.run(.thumbnail(width: size.rawValue), original, made.descriptor, limits)
                try folder.adopt(made, as: target)
            }
        }
        return target
    }

    /// A new file with a part of a picture. The original is kept.
    ///
    /// - Throws: `.wrongArea` if the rectangle is not within the picture.
    package func crop(
        _ hash: AssetHash, to area: PictureArea, name: String
    ) async throws(MediaError) -> MediaDocument {
        try await jobs.run { [self] () throws(MediaError) in
            let original = try stored(hash)
            let made = try WorkFile(in: folder)
            let facts = try helper.run(.crop(area), original, made.descriptor, limits)
            return try store(CleanFile(made: made, facts, in: self), name: name)
        }
    }

    private func stored(_ hash: AssetHash) throws(MediaError) -> OwnedDescriptor {
        let descriptor = open(folder.file(hash), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw MediaError(
                .notFound, "the media library does not have the file \(hash)",
                remedy: "restore it from a backup, or upload it again")
        }
        return OwnedDescriptor(descriptor)
    }
}
