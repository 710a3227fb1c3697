internal import Beacon
import SiteFormat

/// A stored manifest or site list: its bytes, and what the server said about them.
struct StoredDocument: Sendable {
    var bytes: [UInt8]
    var sha256: AssetHash
    /// Nil if the side file is missing, damaged or about other bytes.
    var side: SideFile?
}

/// The side file of a document. A lost or outdated one does no harm: the document is then fetched without a condition.
struct SideFile: Hashable, Sendable, Codable {
    /// The hash of the document that the validators belong to. It differs after a kill between the writing of the two
    /// files.
    var sha256: AssetHash
    /// The URL that the document came from. Validators of another server have no meaning.
    var url: String
    var validators: Validators
    /// Microseconds since 1970.
    var validatedAt: Int64
    /// The revision of a site list.
    var revision: Int64?

    enum CodingKeys: String, CodingKey {
        case sha256, url, validators, revision
        case validatedAt = "validated_at"
    }
}

/// The validators for conditional requests (RFC 9110, 8.8).
struct Validators: Hashable, Sendable, Codable {
    var etag: String?
    var lastModified: String?

    enum CodingKeys: String, CodingKey {
        case etag
        case lastModified = "last_modified"
    }

    var isEmpty: Bool { etag == nil && lastModified == nil }
}
