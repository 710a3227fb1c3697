/// A use of a picture of the media library, with the alternative text for this use.
package struct PictureUse: Hashable, Sendable {
    package var media: DocumentID
    /// The alternative text, for people who cannot see the picture.
    package var alt = LocalizedText()
    /// The picture adds nothing to the text. It is published with an empty alternative text.
    package var isDecorative = false

    package init(_ media: DocumentID) {
        self.media = media
    }
}

extension PictureUse: Codable {
    enum CodingKeys: String, CodingKey {
        case media, alt
        case isDecorative = "decorative"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        media = try container.decode(DocumentID.self, forKey: .media)
        alt = try container.value(forKey: .alt, or: LocalizedText())
        isDecorative = try container.value(forKey: .isDecorative, or: false)
    }
}
