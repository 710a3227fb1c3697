package import Beacon
import FoundationEssentials
package import Rooms
import Text

/// What a scanner received in one second, published on `{prefix}/{host}/levels`:
///
///     {"second":1767225600,"state":"ok","clock_ms":-12,"beacons":{"7A0E5F3C-…":[[1,7,-63.4,12.1,9,0.1]]}}
///
/// A row is major, minor, level (dBm, the mean), variance (dB²), count, and age (seconds from the last reading to the
/// end of the second). `clock_ms` is the milliseconds to add to the scanner's clock; null if unknown.
package struct LevelsMessage: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package var beacon: BeaconID
        package var level: Double
        package var variance: Double
        package var count: Int
        package var age: Double

        package init(beacon: BeaconID, level: Double, variance: Double, count: Int, age: Double) {
            self.beacon = beacon
            self.level = level
            self.variance = variance
            self.count = count
            self.age = age
        }
    }

    /// The maximum number of rows. The strongest are kept.
    package static let mostRows = 1000
    /// Milliseconds. The clock of a computer without a battery may start in 1970.
    package static let corrections = -10_000_000_000_000...10_000_000_000_000
    /// Bytes. A larger message is not from this project.
    package static let mostBytes = 128 << 10

    /// Seconds since 1970 by the scanner's clock: the beginning of the second.
    package var second: Int64
    package var isBlind: Bool
    /// Milliseconds to add to the scanner's clock.
    package var clock: Int?
    package var rows: [Row]

    package init(second: Int64, isBlind: Bool, clock: Int? = nil, rows: [Row]) {
        self.second = second
        self.isBlind = isBlind
        self.clock = clock
        self.rows = rows
    }

    package var json: String {
        var kept = rows
        if kept.count > Self.mostRows {
            kept = Array(kept.sorted { ($0.level, $1.beacon) > ($1.level, $0.beacon) }.prefix(Self.mostRows))
        }
        kept.sort { $0.beacon < $1.beacon }
        var json = JSONText()
        json.object { json in
            json.value("second", Int(second))
            json.value("state", isBlind ? "blind" : "ok")
            json.value("clock_ms", clock)
            json.beaconRows(kept, beacon: \.beacon, text: Self.text)
        }
        return json.text
    }

    private static func text(_ row: Row) -> String {
        let (level, variance, age) = (
            fixed(row.level, digits: 1), fixed(row.variance, digits: 1), fixed(row.age, digits: 1))
        return "[\(row.beacon.major),\(row.beacon.minor),\(level),\(variance),\(row.count),\(age)]"
    }
}

extension LevelsMessage {
    /// - Throws: `FleetMessageError` if it is not such a message.
    package init(json: [UInt8]) throws(FleetMessageError) {
        guard json.count <= Self.mostBytes else {
            throw FleetMessageError("is larger than \(Self.mostBytes >> 10) KiB")
        }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "message of levels")
        guard SecondBarrier.seconds.contains(wire.second), Self.corrections.contains(wire.clock_ms ?? 0) else {
            throw FleetMessageError("has an impossible second or clock_ms")
        }
        self.init(second: wire.second, isBlind: wire.state != "ok", clock: wire.clock_ms, rows: [])
        guard SecondBarrier.seconds.contains(correctedSecond) else {
            throw FleetMessageError("has an impossible second and clock_ms")
        }
        self.rows = try BeaconRows.read(wire.beacons, atMost: Self.mostRows, beacon: \.beacon, Self.row)
    }

    private static func row(_ numbers: [Double], _ uuid: ProximityUUID) throws(FleetMessageError) -> Row {
        guard numbers.count >= 6, let major = UInt16(exactly: numbers[0]), let minor = UInt16(exactly: numbers[1]),
            (-127...20).contains(numbers[2]), (0...65_536).contains(numbers[3]), let count = Int(exactly: numbers[4]),
            (1...1_000_000).contains(count), (0...3600).contains(numbers[5])
        else {
            throw FleetMessageError(
                "has a row that is not major, minor, level, variance, count and age: \(numbers.prefix(8))")
        }
        return Row(
            beacon: BeaconID(uuid: uuid, major: major, minor: minor), level: numbers[2], variance: numbers[3],
            count: count,
            age: numbers[5])
    }

    private struct Wire: Decodable {
        var second: Int64
        var state: String
        var clock_ms: Int?
        var beacons: [String: [[Double]]]
    }

    /// The second by the fleet's clock: that of the scanner, corrected.
    package var correctedSecond: Int64 {
        guard let clock else { return second }
        // By the middle of the second, so that a few milliseconds do not move it to the next one.
        return second + Int64(((500 + Double(clock)) / 1000).rounded(.down))
    }

    /// The second as the room resolver takes it.
    package func heard(by scanner: String) -> ScannerSecond {
        ScannerSecond(
            scanner: scanner, second: correctedSecond, isBlind: isBlind,
            heard: rows.map { HeardLevel(beacon: $0.beacon, level: $0.level, count: $0.count) })
    }
}
