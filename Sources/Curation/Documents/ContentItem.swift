/// The content that is shown on one side of a recognised image.
package struct ContentItem: Hashable, Sendable {
    /// Unique within the image.
    package var id: DocumentID
    package var label = LocalizedText()
    package var side: Side
    package var kind: Kind
    /// One for an image or a map, any number in order for a gallery, none for a video.
    package var pictures: [PictureUse] = []
    /// A video: either an address or a file of the media library.
    package var videoURL: String?
    package var video: DocumentID?
    package var captions = Localized<DocumentID>()
    package var signLanguage = Localized<DocumentID>()
    /// A map's centre.
    package var coordinates: Coordinates?
    /// Only for an image or a map.
    package var action: ActionItem?

    package enum Side: String, Hashable, Sendable, Codable, CaseIterable {
        case left, right, top, bottom
    }

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case image, gallery, video, map

        package var takesAction: Bool { self == .image || self == .map }
    }

    package init(id: DocumentID, side: Side, kind: Kind) {
        self.id = id
        self.side = side
        self.kind = kind
    }
}

extension ContentItem: Codable {
    enum CodingKeys: String, CodingKey {
        case id, label, side, kind, pictures, video, captions, coordinates, action
        case videoURL = "video_url"
        case signLanguage = "sign_language"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decodeIfPresent(DocumentID.self, forKey: .id) ?? .random()
        label = try container.value(forKey: .label, or: LocalizedText())
        side = try container.decode(Side.self, forKey: .side)
        kind = try container.decode(Kind.self, forKey: .kind)
        pictures = try container.value(forKey: .pictures, or: [])
        videoURL = try container.decodeIfPresent(String.self, forKey: .videoURL)
        video = try container.decodeIfPresent(DocumentID.self, forKey: .video)
        captions = try container.value(forKey: .captions, or: Localized())
        signLanguage = try container.value(forKey: .signLanguage, or: Localized())
        coordinates = try container.decodeIfPresent(Coordinates.self, forKey: .coordinates)
        action = try container.decodeIfPresent(ActionItem.self, forKey: .action)
    }
}
