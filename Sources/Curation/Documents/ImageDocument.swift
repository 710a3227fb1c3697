/// An image to recognise, with everything that is shown when it is recognised: contents on its four sides, a full page,
/// sound.
///
/// It is a single document, so that two editors of the same image are warned about each other, and one Undo reverts one
/// saving.
package struct ImageDocument: Hashable, Sendable {
    /// The beacon's document; nil for an image without a beacon ("uncategorized").
    package var beacon: DocumentID?
    /// The order among the beacon's images, ascending. Images of equal rank are ordered by their id.
    package var rank: Int64 = 0
    package var title = LocalizedText()
    package var picture: PictureUse?
    /// The width of the printed image in centimetres.
    package var widthCm: Double?
    package var display = Display.overlay
    /// At most one content on each side.
    package var contents: [ContentItem] = []
    package var page: FullPage?
    /// The sound files by language, and their transcripts.
    package var audio = Localized<DocumentID>()
    package var transcript = LocalizedText()
    package var signLanguage = Localized<DocumentID>()
    package var category = ""
    package var tags: [String] = []
    /// The image is published from `validFrom` on, until `validUntil`; nil means no limit.
    package var validFrom: Moment?
    package var validUntil: Moment?

    package enum Display: String, Hashable, Sendable, Codable, CaseIterable {
        case overlay, fullscreen
    }

    package init() {}

    package subscript(side: ContentItem.Side) -> ContentItem? {
        get { contents.first { $0.side == side } }
        set {
            contents.removeAll { $0.side == side }
            if let newValue { contents.append(newValue) }
        }
    }
}

extension ImageDocument: Codable {
    enum CodingKeys: String, CodingKey {
        case beacon, rank, title, picture, display, contents, page, audio, transcript, category, tags
        case widthCm = "width_cm"
        case signLanguage = "sign_language"
        case validFrom = "valid_from"
        case validUntil = "valid_until"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        beacon = try container.decodeIfPresent(DocumentID.self, forKey: .beacon)
        rank = try container.value(forKey: .rank, or: 0)
        title = try container.value(forKey: .title, or: LocalizedText())
        picture = try container.decodeIfPresent(PictureUse.self, forKey: .picture)
        widthCm = try container.decodeIfPresent(Double.self, forKey: .widthCm)
        display = try container.value(forKey: .display, or: .overlay)
        contents = try container.value(forKey: .contents, or: [])
        page = try container.decodeIfPresent(FullPage.self, forKey: .page)
        audio = try container.value(forKey: .audio, or: Localized())
        transcript = try container.value(forKey: .transcript, or: LocalizedText())
        signLanguage = try container.value(forKey: .signLanguage, or: Localized())
        category = try container.value(forKey: .category, or: "")
        tags = try container.value(forKey: .tags, or: [])
        validFrom = try container.decodeIfPresent(Moment.self, forKey: .validFrom)
        validUntil = try container.decodeIfPresent(Moment.self, forKey: .validUntil)
    }
}
