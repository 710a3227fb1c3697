/// The content of a beacon: images to recognise, and what is shown around each of them.
///
/// This is the model of a manifest in format 1. Unknown keys are ignored here. The store keeps them, because it has the
/// bytes as they were received. `Manifest(json:)` reports errors with their place in the document.
package struct Manifest: Hashable, Sendable, Codable {
    /// The version of the format: 1.
    package var format: Int
    /// The beacon of the manifest; nil for the uncategorized content.
    package var beacon: ManifestBeacon?
    /// The time of the last change, as the server wrote it (RFC 3339).
    package var updatedAt: String?
    /// The images to recognise.
    package var images: [ManifestImage]
    /// The language of the texts (BCP 47); nil if it is unknown.
    package var language: String?
    /// The same content in other languages, by language tag.
    package var variants: [String: ManifestVariant]
    /// The order in which languages are tried for a visitor who reads none of the existing ones.
    package var fallback: [String]

    enum CodingKeys: String, CodingKey {
        case format, beacon, images, language, variants, fallback
        case updatedAt = "updated_at"
    }

    package init(
        format: Int = 1, beacon: ManifestBeacon? = nil, updatedAt: String? = nil, images: [ManifestImage],
        language: String? = nil, variants: [String: ManifestVariant] = [:], fallback: [String] = []
    ) {
        self.format = format
        self.beacon = beacon
        self.updatedAt = updatedAt
        self.images = images
        self.language = language
        self.variants = variants
        self.fallback = fallback
    }

    /// Every asset of the manifest and of its variants, each hash once, in the order of first use. Languages are in
    /// alphabetical order.
    package var assets: [ManifestAsset] {
        var seen: Set<AssetHash> = []
        return uses.filter { seen.insert($0.sha256).inserted }
    }

    /// The same, but with each hash as often as it is used.
    var uses: [ManifestAsset] {
        (images + variants.sorted { $0.key < $1.key }.flatMap(\.value.images)).flatMap(\.files)
    }

    /// The languages in which the manifest has texts, its own first.
    package var languages: [String] {
        (language.map { [$0] } ?? []) + variants.keys.filter { $0 != language }.sorted()
    }
}

/// The beacon that a manifest names. A manifest for a whole UUID or major leaves out the numbers that vary.
package struct ManifestBeacon: Hashable, Sendable, Codable {
    package var uuid: String
    package var major: UInt16?
    package var minor: UInt16?
    /// The name for people, such as the name of an exhibit.
    package var name: String?

    package init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil, name: String? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.name = name
    }

    enum CodingKeys: String, CodingKey {
        case uuid, major, minor, name
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        uuid = try container.decode(String.self, forKey: .uuid)
        major = try container.numberIfPresent(UInt16.self, forKey: .major)
        minor = try container.numberIfPresent(UInt16.self, forKey: .minor)
        name = try container.decodeIfPresent(String.self, forKey: .name)
    }
}
