package import SiteFormat

/// A file of the media library. The bytes never change and are named by their hash. The other values can be edited.
package struct MediaDocument: Hashable, Sendable {
    package var hash: AssetHash
    package var bytes: Int64
    /// The media type that decoding has found: `image/jpeg`, `image/png`, `image/webp`, `image/gif`, `video/mp4`,
    /// `video/webm`, `audio/mpeg`, `audio/mp4`, `audio/ogg`, `audio/webm`, `text/vtt`.
    package var mediaType: String
    /// In pixels; nil for sound and text.
    package var width: Int?
    package var height: Int?
    /// A name for curators, at first that of the uploaded file. Never published.
    package var name = ""
    /// The point that must stay visible when the picture is cropped; 0, 0 is the top left corner.
    package var focalPoint: PlanPoint?
    /// A hash of 64 bits, which is similar for pictures that look alike; nil for other files.
    package var likeness: UInt64?
    package var tags: [String] = []

    package init(hash: AssetHash, bytes: Int64, mediaType: String) {
        self.hash = hash
        self.bytes = bytes
        self.mediaType = mediaType
    }

    package var isPicture: Bool { mediaType.hasPrefix("image/") }
    package var isVideo: Bool { mediaType.hasPrefix("video/") }
    package var isAudio: Bool { mediaType.hasPrefix("audio/") }
    package var isCaptions: Bool { mediaType == "text/vtt" }
}

extension MediaDocument: Codable {
    enum CodingKeys: String, CodingKey {
        case bytes, width, height, name, likeness, tags
        case hash = "sha256"
        case mediaType = "media_type"
        case focalPoint = "focal_point"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hash = try container.decode(AssetHash.self, forKey: .hash)
        bytes = try container.decode(Int64.self, forKey: .bytes)
        mediaType = try container.decode(String.self, forKey: .mediaType)
        width = try container.decodeIfPresent(Int.self, forKey: .width)
        height = try container.decodeIfPresent(Int.self, forKey: .height)
        name = try container.value(forKey: .name, or: "")
        focalPoint = try container.decodeIfPresent(PlanPoint.self, forKey: .focalPoint)
        likeness = try container.decodeIfPresent(String.self, forKey: .likeness).flatMap { UInt64($0, radix: 16) }
        tags = try container.value(forKey: .tags, or: [])
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hash, forKey: .hash)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(mediaType, forKey: .mediaType)
        try container.encodeIfPresent(width, forKey: .width)
        try container.encodeIfPresent(height, forKey: .height)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(focalPoint, forKey: .focalPoint)
        // As text, because JavaScript has no 64-bit integers.
        try container.encodeIfPresent(likeness.map { String($0, radix: 16) }, forKey: .likeness)
        try container.encode(tags, forKey: .tags)
    }
}
