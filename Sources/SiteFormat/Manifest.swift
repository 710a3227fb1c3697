/// What belongs to a beacon: images to recognise, and what is shown around each of them.
///
/// The model of a manifest of format 1. Unknown keys are ignored here and kept in the store, which holds the bytes
/// as they were received. `Manifest(json:)` gives errors with their place in the document.
package struct Manifest: Hashable, Sendable, Codable {
    /// The version of the format: 1.
    package var format: Int
    /// Whom the manifest is for; nil for the uncategorized content.
    package var beacon: ManifestBeacon?
    /// When it was last changed, as the server wrote it (RFC 3339).
    package var updatedAt: String?
    /// The images to recognise.
    package var images: [ManifestImage]

    enum CodingKeys: String, CodingKey {
        case format, beacon, images
        case updatedAt = "updated_at"
    }

    package init(format: Int = 1, beacon: ManifestBeacon? = nil, updatedAt: String? = nil, images: [ManifestImage]) {
        self.format = format
        self.beacon = beacon
        self.updatedAt = updatedAt
        self.images = images
    }

    /// Every asset of the manifest, each hash once, in the order of their first use.
    package var assets: [ManifestAsset] {
        var seen: Set<AssetHash> = []
        return images.flatMap { [$0.asset] + $0.contents.flatMap(\.assets) }.filter { seen.insert($0.sha256).inserted }
    }
}

/// The beacon that a manifest names. Manifests for a whole UUID or major leave out what varies.
package struct ManifestBeacon: Hashable, Sendable, Codable {
    package var uuid: String
    package var major: UInt16?
    package var minor: UInt16?
    /// The name for people, such as an exhibit's.
    package var name: String?

    package init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil, name: String? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.name = name
    }
}

/// A file of the site: immutable bytes, named by their hash.
package struct ManifestAsset: Hashable, Sendable, Codable {
    package var sha256: AssetHash
    /// The exact size in bytes. Nothing larger is ever downloaded for it.
    package var bytes: Int64
    /// The media type (RFC 9110, 8.3.1), such as `image/jpeg`.
    package var mediaType: String?

    enum CodingKeys: String, CodingKey {
        case sha256, bytes
        case mediaType = "media_type"
    }

    package init(sha256: AssetHash, bytes: Int64, mediaType: String? = nil) {
        self.sha256 = sha256
        self.bytes = bytes
        self.mediaType = mediaType
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sha256 = try container.decode(AssetHash.self, forKey: .sha256)
        // The decoder's own error for a number that does not fit has no place.
        guard let bytes = container.contains(.bytes) ? try? container.decode(Int64.self, forKey: .bytes)
            : try container.decode(Int64.self, forKey: .bytes), bytes >= 0
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .bytes, in: container, debugDescription: "a size is a whole number, 0 or more")
        }
        self.bytes = bytes
        mediaType = try container.decodeIfPresent(String.self, forKey: .mediaType)
    }
}

extension AssetHash: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let hash = AssetHash(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a SHA-256 has 64 hexadecimal digits")
        }
        self = hash
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
