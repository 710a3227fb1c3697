/// Something shown beside a recognised image: pictures, a video, a map, with an action perhaps.
public struct ManifestContent: Hashable, Sendable, Codable {
    public var id: String
    public var label: String?
    public var position: Position?
    public var kind: Kind
    /// The files that it shows.
    public var assets: [ManifestAsset]
    /// Where a video is streamed from. Foreign text: nothing here ever fetches it.
    public var videoURL: String?
    public var coordinates: Coordinates?
    public var action: ManifestAction?

    /// On which side of the image. An open set.
    public struct Position: RawRepresentable, Hashable, Sendable, Codable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static var left: Self { Self(rawValue: "left") }
        public static var right: Self { Self(rawValue: "right") }
        public static var top: Self { Self(rawValue: "top") }
        public static var bottom: Self { Self(rawValue: "bottom") }
    }

    /// What it is. An open set.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static var image: Self { Self(rawValue: "image") }
        public static var gallery: Self { Self(rawValue: "gallery") }
        public static var video: Self { Self(rawValue: "video") }
        public static var map: Self { Self(rawValue: "map") }
    }

    /// A point on the earth in degrees, WGS 84.
    public struct Coordinates: Hashable, Sendable, Codable {
        public var latitude: Double
        public var longitude: Double

        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, label, position, kind, assets, coordinates, action
        case videoURL = "video_url"
    }

    public init(
        id: String, label: String? = nil, position: Position? = nil, kind: Kind, assets: [ManifestAsset] = [],
        videoURL: String? = nil, coordinates: Coordinates? = nil, action: ManifestAction? = nil
    ) {
        self.id = id
        self.label = label
        self.position = position
        self.kind = kind
        self.assets = assets
        self.videoURL = videoURL
        self.coordinates = coordinates
        self.action = action
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        label = try container.decodeIfPresent(String.self, forKey: .label)
        position = try container.decodeIfPresent(Position.self, forKey: .position)
        kind = try container.decode(Kind.self, forKey: .kind)
        assets = try container.decodeIfPresent([ManifestAsset].self, forKey: .assets) ?? []
        videoURL = try container.decodeIfPresent(String.self, forKey: .videoURL)
        coordinates = try container.decodeIfPresent(Coordinates.self, forKey: .coordinates)
        action = try container.decodeIfPresent(ManifestAction.self, forKey: .action)
    }
}

/// What happens when a visitor taps a content. Data from the network: whoever carries it out decides what is allowed.
public struct ManifestAction: Hashable, Sendable, Codable {
    public var name: String?
    public var kind: Kind
    /// The URL, telephone number, mail address or place, by kind.
    public var value: String
    /// Further values for the action, as the server wrote them.
    public var parameters: JSONValue?
    public var description: String?
    public var overlayText: String?

    /// What is done. An open set.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static var openURL: Self { Self(rawValue: "open_url") }
        public static var call: Self { Self(rawValue: "call") }
        public static var email: Self { Self(rawValue: "email") }
        public static var navigate: Self { Self(rawValue: "navigate") }
    }

    enum CodingKeys: String, CodingKey {
        case name, kind, value, parameters, description
        case overlayText = "overlay_text"
    }

    public init(
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
