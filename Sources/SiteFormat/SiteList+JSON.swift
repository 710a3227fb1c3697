import Beacon

extension SiteList {
    /// The document's bytes, with sorted keys and entries, so that equal lists give equal bytes.
    package func json() throws(ContentError) -> [UInt8] {
        let beacons = entries.compactMap { Line($0.key, $0.value) }.sorted { $0.order < $1.order }
        return try encodeDocument(
            Document(
                format: format, revision: revision, updatedAt: updatedAt, keyID: keyID, languages: languages,
                reports: reports, beacons: beacons,
                uncategorized: entries[.uncategorized].map { Uncategorized(manifest: $0.manifest, sha256: $0.sha256) }))
    }

    private struct Document: Encodable {
        var format: Int
        var revision: Int64
        var updatedAt: String?
        var keyID: String?
        var languages: [String]
        var reports: ManifestPath?
        var beacons: [Line]
        var uncategorized: Uncategorized?

        enum CodingKeys: String, CodingKey {
            case format, revision, languages, reports, beacons, uncategorized
            case updatedAt = "updated_at"
            case keyID = "key_id"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(format, forKey: .format)
            try container.encode(revision, forKey: .revision)
            try container.encodeIfPresent(updatedAt, forKey: .updatedAt)
            try container.encodeIfPresent(keyID, forKey: .keyID)
            if !languages.isEmpty { try container.encode(languages, forKey: .languages) }
            try container.encodeIfPresent(reports, forKey: .reports)
            try container.encode(beacons, forKey: .beacons)
            // Null is part of the format.
            try container.encode(uncategorized, forKey: .uncategorized)
        }
    }

    private struct Line: Encodable {
        var uuid: String
        var major: UInt16?
        var minor: UInt16?
        var name: String?
        var manifest: ManifestPath
        var sha256: AssetHash

        /// Nil for the uncategorized content, which has its own key.
        init?(_ scope: ContentScope, _ entry: Entry) {
            switch scope {
            case .beacon(let id): (uuid, major, minor) = ("\(id.uuid)", id.major, id.minor)
            case .major(let uuid, let major): (self.uuid, self.major) = ("\(uuid)", major)
            case .uuid(let uuid): self.uuid = "\(uuid)"
            case .uncategorized: return nil
            }
            name = entry.name
            manifest = entry.manifest
            sha256 = entry.sha256
        }

        /// The order by UUID, major and minor, with wider scopes first.
        var order: (String, Int, Int) { (uuid, major.map(Int.init) ?? -1, minor.map(Int.init) ?? -1) }
    }

    private struct Uncategorized: Encodable {
        var manifest: ManifestPath
        var sha256: AssetHash
    }
}
