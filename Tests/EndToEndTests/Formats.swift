import Foundation
import TestSupport

/// The JSON of `beaconctl sightings`, as INTERFACE documents it.
struct SightingLine: Decodable, Hashable {
    var time: String?
    var source: String
    var address: String
    var addressType: String
    var eventType: Int
    var rssi: Int?
    var uuid: String
    var major: Int
    var minor: Int
    var measuredPower: Int
}

/// One tick of `beaconctl range --format json`.
struct RankingTick: Decodable {
    struct Identity: Decodable, Hashable {
        var uuid: String
        var major: Int
        var minor: Int
        var name: String?
    }

    struct Beacon: Decodable {
        var rank: Int
        var uuid: String
        var major: Int
        var minor: Int
        var name: String?
        var rssi: Double?
        var rssiFiltered: Double?
        var measuredPower: Int
        var distanceM: Double?
        var distanceLowM: Double?
        var distanceHighM: Double?
        var proximity: String
        var lastSeen: String
        var count: Int
    }

    var time: String
    var scanner: String
    var nearest: Identity?
    var beacons: [Beacon]
}

/// JSON lines.
func decodeLines<Line: Decodable>(_ lines: some Sequence<String>, as type: Line.Type = Line.self) throws -> [Line] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try lines.map { line in
        do {
            return try decoder.decode(Line.self, from: Data(line.utf8))
        } catch {
            throw RunningProgram.Failure(description: "not the documented JSON: \(line)\n\(error)")
        }
    }
}

/// The set of keys of a JSON object.
func keys(of line: String) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return Set(object?.keys.map { $0 } ?? [])
}

/// Rows of a CSV without quotes, by column name.
func rows(ofCSV lines: [String]) -> [[String: String]] {
    guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) else {
        return []
    }
    return lines.dropFirst().map { line in
        Dictionary(
            zip(header, line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)),
            uniquingKeysWith: { first, _ in first })
    }
}

/// The documented header of `sightings --format csv`.
let sightingsHeader = "time,source,address,address_type,event_type,rssi,uuid,major,minor,measured_power"

/// RFC 3339, UTC, six digits of seconds.
func isTimestamp(_ text: String) -> Bool {
    text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil
}
