package import Media

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
        case archive(WorkFile)
        /// Why it was refused while it arrived.
        case refused(MediaError)
    }
}
