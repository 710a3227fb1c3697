package import Beacon

/// `site.json`: the manifests of a site and their beacons. If a site has this list, nothing else decides.
package struct SiteList: Sendable {
    /// The version of the format: 1.
    package var format: Int
    /// Grows with every publication and never goes back.
    package var revision: Int64
    /// The time of publication, as the server wrote it (RFC 3339).
    package var updatedAt: String?
    /// The name of the key that signs the list; nil if the list names none.
    package var keyID: String?
    /// The languages of the site's texts (BCP 47), the default first; empty if the list has none.
    package var languages: [String] = []
    /// The path to which devices may post their reports; nil if the site does not accept any.
    package var reports: ManifestPath?
    /// The manifests by scope.
    package var entries: [ContentScope: Entry]

    /// How far the revision of an unsigned list may rise at once, unless it is a date: devices refuse more.
    package static let largestRevisionStep: Int64 = 1_000_000

    package init(
        revision: Int64, updatedAt: String? = nil, keyID: String? = nil, languages: [String] = [],
        reports: ManifestPath? = nil, entries: [ContentScope: Entry]
    ) {
        format = 1
        self.revision = revision
        self.updatedAt = updatedAt
        self.keyID = keyID
        self.languages = languages
        self.reports = reports
        self.entries = entries
    }

    /// The path of a manifest, and the hash that it must have.
    package struct Entry: Hashable, Sendable {
        /// The name for people; nil for the uncategorized content.
        package var name: String?
        /// The manifest's path as it is written in the list; see `ManifestPath`.
        package var manifest: ManifestPath
        /// The hash of the manifest's exact bytes.
        package var sha256: AssetHash

        package init(name: String? = nil, manifest: ManifestPath, sha256: AssetHash) {
            self.name = name
            self.manifest = manifest
            self.sha256 = sha256
        }
    }

    /// The most specific entry for `beacon`; nil if there is none.
    package func entry(for beacon: BeaconID?) -> (scope: ContentScope, entry: Entry)? {
        for scope in ContentScope.candidates(for: beacon) {
            if let entry = entries[scope] { return (scope, entry) }
        }
        return nil
    }
}

// MARK: - Decoding

extension SiteList {
    /// Decodes a site list.
    ///
    /// - Parameters:
    ///   - json: the document's bytes.
    ///   - source: the document's URL or file, for the message.
    /// - Throws: `ContentError` with code `.format`. Its place names the value: `URL: beacons[7].sha256`.
    package init(json: [UInt8], source: String = "site.json") throws(ContentError) {
        // In portions, because decoding needs many times the memory of its result.
        let outline = try JSONOutline(
            json, arrayOf: "beacons",
            limits: .init(
                inner: ContentLimits.listTokens, outer: ContentLimits.outerTokens, elements: ContentLimits.listEntries),
            source: source)
        var rest = json
        if let array = outline.array { rest.replaceSubrange(array, with: "[]".utf8) }
        let document = try decodeDocument(Document.self, json: rest, source: source)
        rest = []
        guard document.format == 1 else { throw unknownFormat(document.format, source: source) }
        format = document.format
        revision = document.revision ?? 0
        updatedAt = document.updatedAt
        keyID = document.keyID
        languages = document.languages ?? []
        reports = document.reports
        entries = [:]
        entries.reserveCapacity(outline.elements.count)
        for start in stride(from: 0, to: outline.elements.count, by: Self.portion) {
            let portion = outline.elements[start..<min(start + Self.portion, outline.elements.count)]
            guard let first = portion.first, let last = portion.last else { break }
            let text = [UInt8(ascii: "[")] + json[first.lowerBound..<last.upperBound] + [UInt8(ascii: "]")]
            let lines = try decodeDocument([Line].self, json: text, source: source, part: ("beacons", start))
            try add(lines, from: start, source: source)
        }
        try add(document.beacons, from: 0, source: source)
        if let line = document.uncategorized {
            entries[.uncategorized] = Entry(manifest: line.manifest, sha256: line.sha256)
        }
    }

    /// The number of entries that are decoded at once.
    private static let portion = 256

    private mutating func add(_ lines: [Line], from start: Int, source: String) throws(ContentError) {
        for (index, line) in zip(start..., lines) {
            let scope: ContentScope
            switch (line.major, line.minor) {
            case (let major?, let minor?):
                scope = .beacon(BeaconID(uuid: line.uuid, major: major, minor: minor))
            case (let major?, nil): scope = .major(line.uuid, major)
            case (nil, nil): scope = .uuid(line.uuid)
            case (nil, _?):
                throw ContentError(
                    code: .format, place: "\(source): beacons[\(index)].major",
                    cause: "it is missing, though there is a minor", remedy: "add the major and publish again")
            }
            let entry = Entry(name: line.name.map(boundedName), manifest: line.manifest, sha256: line.sha256)
            guard entries.updateValue(entry, forKey: scope) == nil else {
                throw ContentError(
                    code: .format, place: "\(source): beacons[\(index)]", cause: "\(scope) is listed twice",
                    remedy: "remove one of the two entries and publish again")
            }
        }
    }

    private struct Document: Decodable {
        var format: Int
        var revision: Int64?
        var updatedAt: String?
        var keyID: String?
        var languages: [String]?
        var reports: ManifestPath?
        var beacons: [Line]
        var uncategorized: Uncategorized?

        enum CodingKeys: String, CodingKey {
            case format, revision, beacons, uncategorized, languages, reports
            case updatedAt = "updated_at"
            case keyID = "key_id"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            format = try container.number(Int.self, forKey: .format)
            revision = try container.numberIfPresent(Int64.self, forKey: .revision)
            updatedAt = try container.decodeIfPresent(String.self, forKey: .updatedAt)
            keyID = try container.decodeIfPresent(String.self, forKey: .keyID)
            languages = try container.decodeIfPresent([String].self, forKey: .languages)
            reports = try container.decodeIfPresent(ManifestPath.self, forKey: .reports)
            beacons = try container.decode([Line].self, forKey: .beacons)
            uncategorized = try container.decodeIfPresent(Uncategorized.self, forKey: .uncategorized)
        }
    }

    private struct Line: Decodable {
        var uuid: ProximityUUID
        var major: UInt16?
        var minor: UInt16?
        var name: String?
        var manifest: ManifestPath
        var sha256: AssetHash

        enum CodingKeys: String, CodingKey {
            case uuid, major, minor, name, manifest, sha256
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard let uuid = ProximityUUID(try container.decode(String.self, forKey: .uuid)) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .uuid, in: container, debugDescription: "a UUID has 32 hexadecimal digits")
            }
            self.uuid = uuid
            major = try container.numberIfPresent(UInt16.self, forKey: .major)
            minor = try container.numberIfPresent(UInt16.self, forKey: .minor)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            manifest = try container.decode(ManifestPath.self, forKey: .manifest)
            sha256 = try container.decode(AssetHash.self, forKey: .sha256)
        }
    }

    private struct Uncategorized: Decodable {
        var manifest: ManifestPath
        var sha256: AssetHash
    }
}
