package import Beacon

/// An image to recognise, and what is shown when it is recognised.
package struct ManifestImage: Hashable, Sendable {
    package var id: String
    package var title: String?
    /// The width of the printed image in centimetres.
    package var widthCm: Double?
    package var display: Display?
    /// The image itself.
    package var asset: ManifestAsset
    /// The image's alternative text: nil if there is none, "" for a decorative picture.
    package var alt: String?
    /// The contents around the image.
    package var contents: [ManifestContent]
    package var fullscreen: Fullscreen?
    package var audio: ManifestAudio?
    /// A video in sign language.
    package var signLanguage: ManifestAsset?
    package var category: String?
    package var tags: [String]
    /// The image is shown from `validFrom` on, until `validUntil`; nil means no limit.
    package var validFrom: Timestamp?
    package var validUntil: Timestamp?

    /// How the contents are shown. An open set.
    package struct Display: RawRepresentable, Hashable, Sendable, Codable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static var overlay: Self { Self(rawValue: "overlay") }
        package static var fullscreen: Self { Self(rawValue: "fullscreen") }
    }

    /// A page that fills the screen. The HTML comes from outside: show it only in a sandbox.
    package struct Fullscreen: Hashable, Sendable, Codable {
        package var title: String?
        package var html: String

        package init(title: String? = nil, html: String) {
            self.title = title
            self.html = html
        }
    }

    package init(
        id: String, title: String? = nil, widthCm: Double? = nil, display: Display? = nil, asset: ManifestAsset,
        alt: String? = nil, contents: [ManifestContent] = [], fullscreen: Fullscreen? = nil,
        audio: ManifestAudio? = nil, signLanguage: ManifestAsset? = nil, category: String? = nil, tags: [String] = [],
        validFrom: Timestamp? = nil, validUntil: Timestamp? = nil
    ) {
        self.id = id
        self.title = title
        self.widthCm = widthCm
        self.display = display
        self.asset = asset
        self.alt = alt
        self.contents = contents
        self.fullscreen = fullscreen
        self.audio = audio
        self.signLanguage = signLanguage
        self.category = category
        self.tags = tags
        self.validFrom = validFrom
        self.validUntil = validUntil
    }

    /// Every file of the image. A file that is used several times appears several times.
    var files: [ManifestAsset] {
        let own = [asset, audio?.asset, signLanguage].compactMap(\.self)
        return (own + contents.flatMap(\.files)).map(\.file)
    }

    /// Whether the image is shown at this instant.
    package func isValid(at time: Timestamp) -> Bool {
        (validFrom.map { $0 <= time } ?? true) && (validUntil.map { time < $0 } ?? true)
    }
}

extension ManifestImage: Codable {
    enum CodingKeys: String, CodingKey {
        case id, title, display, asset, alt, contents, fullscreen, audio, category, tags
        case widthCm = "width_cm"
        case signLanguage = "sign_language"
        case validFrom = "valid_from"
        case validUntil = "valid_until"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        widthCm = try container.numberIfPresent(Double.self, forKey: .widthCm)
        display = try container.decodeIfPresent(Display.self, forKey: .display)
        asset = try container.decode(ManifestAsset.self, forKey: .asset)
        alt = try container.decodeIfPresent(String.self, forKey: .alt)
        contents = try container.decodeIfPresent([ManifestContent].self, forKey: .contents) ?? []
        fullscreen = try container.decodeIfPresent(Fullscreen.self, forKey: .fullscreen)
        audio = try container.decodeIfPresent(ManifestAudio.self, forKey: .audio)
        signLanguage = try container.decodeIfPresent(ManifestAsset.self, forKey: .signLanguage)
        category = try container.decodeIfPresent(String.self, forKey: .category)
        tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
        validFrom = try container.time(forKey: .validFrom)
        validUntil = try container.time(forKey: .validUntil)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(widthCm, forKey: .widthCm)
        try container.encodeIfPresent(display, forKey: .display)
        try container.encode(asset, forKey: .asset)
        // Written even if it is null, which means that the text is missing.
        try container.encode(alt, forKey: .alt)
        try container.encode(contents, forKey: .contents)
        try container.encode(fullscreen, forKey: .fullscreen)
        try container.encodeIfPresent(audio, forKey: .audio)
        try container.encodeIfPresent(signLanguage, forKey: .signLanguage)
        try container.encodeIfPresent(category, forKey: .category)
        if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
        try container.encodeIfPresent(validFrom?.rfc3339, forKey: .validFrom)
        try container.encodeIfPresent(validUntil?.rfc3339, forKey: .validUntil)
    }
}

extension KeyedDecodingContainer {
    fileprivate func time(forKey key: Key) throws -> Timestamp? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "a time such as 2026-05-01T08:00:00Z is needed")
        }
        return time
    }
}
