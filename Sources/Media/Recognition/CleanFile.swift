import Curation
import SiteFormat

/// A file that may be stored: it was read completely, and unneeded parts are removed.
struct CleanFile: Sendable {
    var file: ReceivedFile
    var mediaType: String
    /// Nil for sound and captions.
    var width: Int?
    var height: Int?
    /// Nil for files that are not pictures.
    var likeness: UInt64?

    /// A picture with the facts that the helper reports.
    init(picture facts: PictureFacts, _ file: ReceivedFile) {
        self.file = file
        mediaType = facts.format.mediaType
        (width, height, likeness) = (facts.width, facts.height, facts.likeness)
    }

    init(_ file: ReceivedFile, mediaType: String, width: Int? = nil, height: Int? = nil) {
        self.file = file
        self.mediaType = mediaType
        self.width = width
        self.height = height
    }

    func document(name: String) -> MediaDocument {
        var document = MediaDocument(hash: file.hash, bytes: file.count, mediaType: mediaType)
        (document.width, document.height, document.likeness) = (width, height, likeness)
        document.name = name
        return document
    }
}
