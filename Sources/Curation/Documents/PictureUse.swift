/// A picture of the media library where it is used, with the alternative text for this use.
package struct PictureUse: Hashable, Sendable {
    package var media: DocumentID
    /// What is to be seen, for those who cannot.
    package var alt = LocalizedText()
    /// It says nothing that the text does not: published with an empty alternative text.
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
