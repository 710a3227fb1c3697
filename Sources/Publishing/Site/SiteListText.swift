import Beacon
import SiteFormat

/// `site.json` as it is written. `SiteList` reads it.
struct SiteListText: Encodable {
    var format = 1
    var revision: Int64
    var updatedAt: String
    var keyID: String?
    var beacons: [Beacon]
    var uncategorized: Uncategorized?

    struct Beacon: Encodable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
        var name: String
        var manifest: String
        var sha256: AssetHash
    }

    struct Uncategorized: Encodable {
        var manifest: String
        var sha256: AssetHash
    }

    enum CodingKeys: String, CodingKey {
        case format, revision, beacons, uncategorized
        case updatedAt = "updated_at"
        case keyID = "key_id"
    }

    /// Manifests are named by their content: whoever has an old list still finds what it names.
    mutating func add(_ scope: ContentScope, name: String?, _ hash: AssetHash) {
        let path = "manifests/\(hash).json"
        if let id = scope.beacon {
            beacons.append(
                Beacon(
                    uuid: id.uuid.description, major: id.major, minor: id.minor, name: boundedName(name ?? ""),
                    manifest: path, sha256: hash))
        } else {
            uncategorized = Uncategorized(manifest: path, sha256: hash)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        try container.encode(revision, forKey: .revision)
        try container.encode(updatedAt, forKey: .updatedAt)
        try container.encodeIfPresent(keyID, forKey: .keyID)
        try container.encode(beacons, forKey: .beacons)
        // INTERFACE's null, not a missing key.
        try container.encode(uncategorized, forKey: .uncategorized)
    }
}
