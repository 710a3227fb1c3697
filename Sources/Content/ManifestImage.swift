/// An image to recognise, and what is shown when it is.
public struct ManifestImage: Hashable, Sendable, Codable {
    public var id: String
    public var title: String?
    /// The width of the printed image in centimetres.
    public var widthCm: Double?
    public var display: Display?
    /// The image itself.
    public var asset: ManifestAsset
    /// What is shown around it.
    public var contents: [ManifestContent]
    public var fullscreen: Fullscreen?

    /// How the contents appear. An open set.
    public struct Display: RawRepresentable, Hashable, Sendable, Codable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static var overlay: Self { Self(rawValue: "overlay") }
        public static var fullscreen: Self { Self(rawValue: "fullscreen") }
    }

    /// A page that fills the screen. The HTML is foreign: show it in a sandbox only.
    public struct Fullscreen: Hashable, Sendable, Codable {
        public var title: String?
        public var html: String

        public init(title: String? = nil, html: String) {
            self.title = title
            self.html = html
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, title, display, asset, contents, fullscreen
        case widthCm = "width_cm"
    }

    public init(
        id: String, title: String? = nil, widthCm: Double? = nil, display: Display? = nil, asset: ManifestAsset,
        contents: [ManifestContent] = [], fullscreen: Fullscreen? = nil
    ) {
        self.id = id
        self.title = title
        self.widthCm = widthCm
        self.display = display
        self.asset = asset
        self.contents = contents
        self.fullscreen = fullscreen
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        widthCm = try container.decodeIfPresent(Double.self, forKey: .widthCm)
        display = try container.decodeIfPresent(Display.self, forKey: .display)
        asset = try container.decode(ManifestAsset.self, forKey: .asset)
        contents = try container.decodeIfPresent([ManifestContent].self, forKey: .contents) ?? []
        fullscreen = try container.decodeIfPresent(Fullscreen.self, forKey: .fullscreen)
    }
}
