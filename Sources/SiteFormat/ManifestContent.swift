/// A content beside a recognised image: pictures, a video or a map, with an optional action.
package struct ManifestContent: Hashable, Sendable, Codable {
    package var id: String
    package var label: String?
    package var position: Position?
    package var kind: Kind
    /// The files that the content shows.
    package var assets: [ManifestAsset]
    /// The URL of a streamed video. It comes from outside, and is never fetched here.
    package var videoURL: String?
    /// The subtitles of a video, in WebVTT.
    package var captions: ManifestAsset?
    /// The video in sign language.
    package var signLanguage: ManifestAsset?
    package var coordinates: Coordinates?
    package var action: ManifestAction?

    /// The side of the image. An open set.
    package struct Position: RawRepresentable, Hashable, Sendable, Codable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static var left: Self { Self(rawValue: "left") }
        package static var right: Self { Self(rawValue: "right") }
        package static var top: Self { Self(rawValue: "top") }
        package static var bottom: Self { Self(rawValue: "bottom") }
    }

    /// The kind of content. An open set.
    package struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static var image: Self { Self(rawValue: "image") }
        package static var gallery: Self { Self(rawValue: "gallery") }
        package static var video: Self { Self(rawValue: "video") }
        package static var map: Self { Self(rawValue: "map") }
    }

    /// A point on the earth in degrees, WGS 84.
    package struct Coordinates: Hashable, Sendable, Codable {
        package var latitude: Double
        package var longitude: Double

        package init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        enum CodingKeys: String, CodingKey {
            case latitude, longitude
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            latitude = try container.number(Double.self, forKey: .latitude)
            longitude = try container.number(Double.self, forKey: .longitude)
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, label, position, kind, assets, captions, coordinates, action
        case videoURL = "video_url"
        case signLanguage = "sign_language"
    }

    package init(
        id: String, label: String? = nil, position: Position? = nil, kind: Kind, assets: [ManifestAsset] = [],
        videoURL: String? = nil, captions: ManifestAsset? = nil, signLanguage: ManifestAsset? = nil,
        coordinates: Coordinates? = nil, action: ManifestAction? = nil
    ) {
        self.id = id
        self.label = label
        self.position = position
        self.kind = kind
        self.assets = assets
        self.videoURL = videoURL
        self.captions = captions
        self.signLanguage = signLanguage
        self.coordinates = coordinates
        self.action = action
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        label = try container.decodeIfPresent(String.self, forKey: .label)
        position = try container.decodeIfPresent(Position.self, forKey: .position)
        kind = try container.decode(Kind.self, forKey: .kind)
        assets = try container.decodeIfPresent([ManifestAsset].self, forKey: .assets) ?? []
        videoURL = try container.decodeIfPresent(String.self, forKey: .videoURL)
        captions = try container.decodeIfPresent(ManifestAsset.self, forKey: .captions)
        signLanguage = try container.decodeIfPresent(ManifestAsset.self, forKey: .signLanguage)
        coordinates = try container.decodeIfPresent(Coordinates.self, forKey: .coordinates)
        action = try container.decodeIfPresent(ManifestAction.self, forKey: .action)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(label, forKey: .label)
        try container.encodeIfPresent(position, forKey: .position)
        try container.encode(kind, forKey: .kind)
        try container.encode(assets.map(DescribedAsset.init), forKey: .assets)
        try container.encodeIfPresent(videoURL, forKey: .videoURL)
        try container.encodeIfPresent(captions, forKey: .captions)
        try container.encodeIfPresent(signLanguage, forKey: .signLanguage)
        try container.encodeIfPresent(coordinates, forKey: .coordinates)
        try container.encodeIfPresent(action, forKey: .action)
    }

    /// Every file of the content. A file that is used several times appears several times.
    var files: [ManifestAsset] {
        assets + [captions, signLanguage].compactMap(\.self)
    }
}

/// What happens when a visitor taps a content. It comes from the network: the program that runs it decides what is
/// allowed.
package struct ManifestAction: Hashable, Sendable, Codable {
    package var name: String?
    package var kind: Kind
    /// The URL, telephone number, mail address or place, depending on the kind.
    package var value: String
    /// Further values for the action, as the server wrote them.
    package var parameters: JSONValue?
    package var description: String?
    package var overlayText: String?

    /// The kind of action. An open set.
    package struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static var openURL: Self { Self(rawValue: "open_url") }
        package static var call: Self { Self(rawValue: "call") }
        package static var email: Self { Self(rawValue: "email") }
        package static var navigate: Self { Self(rawValue: "navigate") }
    }

    enum CodingKeys: String, CodingKey {
        case name, kind, value, parameters, description
        case overlayText = "overlay_text"
    }

    package init(
        name: String? = nil, kind: Kind, value: String, parameters: JSONValue? = nil, description: String? = nil,
        overlayText: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.value = value
        self.parameters = parameters
        self.description = description
        self.overlayText = overlayText
    }
}
