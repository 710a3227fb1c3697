/// An image to recognise, and what is shown when it is.
package struct ManifestImage: Hashable, Sendable, Codable {
    package var id: String
    package var title: String?
    /// The width of the printed image in centimetres.
    package var widthCm: Double?
    package var display: Display?
    /// The image itself.
    package var asset: ManifestAsset
    /// What is shown around it.
    package var contents: [ManifestContent]
    package var fullscreen: Fullscreen?

    /// How the contents appear. An open set.
    package struct Display: RawRepresentable, Hashable, Sendable, Codable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static var overlay: Self { Self(rawValue: "overlay") }
        package static var fullscreen: Self { Self(rawValue: "fullscreen") }
    }

    /// A page that fills the screen. The HTML is foreign: show it in a sandbox only.
    package struct Fullscreen: Hashable, Sendable, Codable {
        package var title: String?
        package var html: String

        package init(title: String? = nil, html: String) {
            self.title = title
            self.html = html
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, title, display, asset, contents, fullscreen
        case widthCm = "width_cm"
    }

    package init(
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

    package init(from decoder: any Decoder) throws {
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
