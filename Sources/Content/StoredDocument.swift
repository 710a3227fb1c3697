internal import Beacon
import SiteFormat

/// A manifest or site list as it is stored: the bytes, and what the server said about them.
struct StoredDocument: Sendable {
    var bytes: [UInt8]
    var sha256: AssetHash
    /// Nil where the side file is missing, broken or about other bytes.
    var side: SideFile?
}

/// The side file of a document. Lost or stale ones do no harm: the document is then fetched without a condition.
struct SideFile: Hashable, Sendable, Codable {
    /// The document that the validators are about. A kill between the two files shows in it.
    var sha256: AssetHash
    /// From where it came: validators of another server mean nothing.
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

/// What makes a request conditional (RFC 9110, 8.8).
struct Validators: Hashable, Sendable, Codable {
    var etag: String?
    var lastModified: String?

    enum CodingKeys: String, CodingKey {
        case etag
        case lastModified = "last_modified"
    }

    var isEmpty: Bool { etag == nil && lastModified == nil }
}
