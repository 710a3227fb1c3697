import Beacon
import Curation
package import SiteFormat

extension DeviceReport: Codable {
    enum CodingKeys: String, CodingKey {
        case format, host, version, revision, complete, missing, problems, scanner, beacons, dwell
        case periodStart = "period_start"
        case periodEnd = "period_end"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        host = try container.decode(String.self, forKey: .host)
        version = try container.decodeIfPresent(String.self, forKey: .version) ?? ""
        periodStart = try container.decode(Moment.self, forKey: .periodStart)
        periodEnd = try container.decode(Moment.self, forKey: .periodEnd)
        revision = try container.decodeIfPresent(Int64.self, forKey: .revision)
        isComplete = try container.decodeIfPresent(Bool.self, forKey: .complete) ?? true
        missing = try container.decodeIfPresent(Int.self, forKey: .missing) ?? 0
        problems = try container.decodeIfPresent([String].self, forKey: .problems) ?? []
        scanner = try container.decodeIfPresent(String.self, forKey: .scanner) ?? "ok"
        beacons = try container.decodeIfPresent([Heard].self, forKey: .beacons) ?? []
        dwell = try container.decodeIfPresent([Dwell].self, forKey: .dwell) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .format)
        try container.encode(host, forKey: .host)
        try container.encode(version, forKey: .version)
        try container.encode(periodStart, forKey: .periodStart)
        try container.encode(periodEnd, forKey: .periodEnd)
        try container.encodeIfPresent(revision, forKey: .revision)
        try container.encode(isComplete, forKey: .complete)
        try container.encode(missing, forKey: .missing)
        try container.encode(problems, forKey: .problems)
        try container.encode(scanner, forKey: .scanner)
        try container.encode(beacons, forKey: .beacons)
        try container.encode(dwell, forKey: .dwell)
    }
}

extension DeviceReport {
    /// Reads and checks the JSON that a device has sent. Unknown keys are ignored.
    ///
    /// - Throws: `invalid`.
    package init(json: [UInt8]) throws(StoreError) {
        do {
            self = try decodeDocument(DeviceReport.self, json: json, source: "report", remedy: Self.remedy).bounded()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, file: "report")
        }
    }

    /// The JSON in the form in which a device sends it.
    package func json() throws(ContentError) -> [UInt8] { try encodeDocument(self) }
}

/// The keys of a beacon's identity.
private enum IdentityKeys: String, CodingKey {
    case uuid, major, minor, rssi, revision, seconds, visits
    case intervalMs = "interval_ms"
    case lastSeen = "last_seen"
}

extension KeyedDecodingContainer where Key == IdentityKeys {
    fileprivate func identity() throws -> BeaconID {
        guard let uuid = ProximityUUID(try decode(String.self, forKey: .uuid)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .uuid, in: self, debugDescription: "a UUID has 32 hexadecimal digits")
        }
        return BeaconID(
            uuid: uuid, major: try decode(UInt16.self, forKey: .major), minor: try decode(UInt16.self, forKey: .minor))
    }
}

extension KeyedEncodingContainer where Key == IdentityKeys {
    fileprivate mutating func encode(_ id: BeaconID) throws {
        try encode("\(id.uuid)", forKey: .uuid)
        try encode(id.major, forKey: .major)
        try encode(id.minor, forKey: .minor)
    }
}

extension DeviceReport.Heard: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: IdentityKeys.self)
        id = try container.identity()
        rssi = try container.decodeIfPresent(Double.self, forKey: .rssi)
        intervalMs = try container.decodeIfPresent(Double.self, forKey: .intervalMs)
        lastSeen = try container.decodeIfPresent(Moment.self, forKey: .lastSeen)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: IdentityKeys.self)
        try container.encode(id)
        try container.encodeIfPresent(rssi, forKey: .rssi)
        try container.encodeIfPresent(intervalMs, forKey: .intervalMs)
        try container.encodeIfPresent(lastSeen, forKey: .lastSeen)
    }
}

extension DeviceReport.Dwell: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: IdentityKeys.self)
        id = try container.identity()
        revision = try container.decodeIfPresent(Int64.self, forKey: .revision) ?? 0
        seconds = try container.decode(Double.self, forKey: .seconds)
        visits = try container.decodeIfPresent(Int.self, forKey: .visits) ?? 0
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: IdentityKeys.self)
        try container.encode(id)
        try container.encode(revision, forKey: .revision)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(visits, forKey: .visits)
    }
}
