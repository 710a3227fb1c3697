/// A file of the site: immutable bytes, named by their hash.
package struct ManifestAsset: Hashable, Sendable, Codable {
    package var sha256: AssetHash
    /// The exact size in bytes. A larger file is never downloaded.
    package var bytes: Int64
    /// The media type (RFC 9110, 8.3.1), such as `image/jpeg`.
    package var mediaType: String?
    /// The alternative text for this use: nil if there is none, "" for a decorative picture.
    package var alt: String?

    enum CodingKeys: String, CodingKey {
        case sha256, bytes, alt
        case mediaType = "media_type"
    }

    package init(sha256: AssetHash, bytes: Int64, mediaType: String? = nil, alt: String? = nil) {
        self.sha256 = sha256
        self.bytes = bytes
        self.mediaType = mediaType
        self.alt = alt
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sha256 = try container.decode(AssetHash.self, forKey: .sha256)
        // The decoder's own error for a number out of range has no place.
        guard
            let bytes = container.contains(.bytes)
                ? try? container.decode(Int64.self, forKey: .bytes)
                : try container.decode(Int64.self, forKey: .bytes), bytes >= 0
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .bytes, in: container, debugDescription: "a size is a whole number, 0 or more")
        }
        self.bytes = bytes
        mediaType = try container.decodeIfPresent(String.self, forKey: .mediaType)
        alt = try container.decodeIfPresent(String.self, forKey: .alt)
    }

    /// The file alone, without the alternative text.
    package var file: ManifestAsset { ManifestAsset(sha256: sha256, bytes: bytes, mediaType: mediaType) }
}

/// An asset as it is published among the pictures of a content: `alt` is written even if it is null.
struct DescribedAsset: Encodable {
    var asset: ManifestAsset

    func encode(to encoder: any Encoder) throws {
        try asset.encode(to: encoder)
        var container = encoder.container(keyedBy: ManifestAsset.CodingKeys.self)
        try container.encode(asset.alt, forKey: .alt)
    }
}

/// A sound file with its transcript.
package struct ManifestAudio: Hashable, Sendable, Codable {
    package var asset: ManifestAsset
    package var transcript: String?

    package init(asset: ManifestAsset, transcript: String? = nil) {
        self.asset = asset
        self.transcript = transcript
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
