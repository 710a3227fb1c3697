import Glibc
package import Media
import Platform

/// An uploaded file.
package struct FormFile: Sendable {
    /// The name of its field.
    package var field: String
    /// As the browser gave it: for people only, never for a path.
    package var name: String
    package var content: Content

    package enum Content: Sendable {
        /// On its way into the media library: `MediaLibrary.finish` checks and stores it. It is gone if nobody does.
        case media(MediaUpload)
        /// A table or an archive to import, in fields whose name starts with `archive`. Removed after the request.
        case archive(TemporaryFile)
        /// Why it was refused while it arrived.
        case refused(MediaError)
    }
}

/// A file that is removed with its last owner. Until then it is locked: it is in use.
package final class TemporaryFile: Sendable {
    package let path: String
    let descriptor: OwnedDescriptor

    init(path: String, _ descriptor: OwnedDescriptor) {
        self.path = path
        self.descriptor = descriptor
        flock(descriptor.number, LOCK_EX | LOCK_NB)
    }

    deinit {
        unlink(path)
    }
}
