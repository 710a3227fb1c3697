import Beacon
package import Health
import Rooms
import Text

/// A scanner's report on its beacons at the end of a minute, published on `{prefix}/{host}/health`:
///
///     {"minute":29453760,"state":"ok","settled":true,"beacons":{"7A0E5F3C-…":[[1,7,0,5,1,-63.4,…]]}}
///
/// The minute is by the fleet's clock. A row has the values of a `HealthReading`; unknown ones are null. Unlike the
/// levels of a second, it has the usual values too.
package struct HealthReadingsMessage: Hashable, Sendable {
    /// The maximum number of rows. Learned beacons have precedence, then the strongest.
    package static let mostRows = 1000
    /// Bytes. A larger message is not from this project.
    package static let mostBytes = 128 << 10

    /// The scanner's name comes from the topic.
    package var readings: ScannerReadings

    package init(_ readings: ScannerReadings) {
        self.readings = readings
    }

    /// A daemon's report on a minute, from all its receivers together, and by the fleet's clock like its levels.
    ///
    /// - Parameters:
    ///   - all: the readings of the same minute by the daemon's clock, at least one.
    ///   - clock: milliseconds to add to that clock; nil if unknown.
    package init(of all: [ScannerReadings], clock: Int?) {
        readings = ScannerReadings(merging: all, scanner: "")
        readings.minute = max(0, Self.corrected(readings.minute, by: clock ?? 0))
    }

    /// The fleet's minute that contains the middle of a scanner's minute.
    private static func corrected(_ minute: Int64, by milliseconds: Int) -> Int64 {
        Int64(((Double(minute) * 60_000 + 30_000 + Double(milliseconds)) / 60_000).rounded(.down))
    }

    package var json: String {
        var rows = readings.readings
        if rows.count > Self.mostRows {
            rows.sort { Self.rank($0) > Self.rank($1) }
            rows.removeSubrange(Self.mostRows...)
        }
        rows.sort { $0.beacon < $1.beacon }
        var json = JSONText()
        json.object { json in
            json.value("minute", Int(readings.minute))
            json.value("state", readings.isBlind ? "blind" : "ok")
            json.value("settled", readings.isSettled)
            json.beaconRows(rows, beacon: \.beacon, text: Self.text)
        }
        return json.text
    }

    private static func rank(_ reading: HealthReading) -> (Int, Double, BeaconID) {
        (reading.isLearned ? 1 : 0, reading.level ?? -200, reading.beacon)
    }

    private static func text(_ row: HealthReading) -> String {
        func number(_ value: Double?, _ digits: Int) -> String { value.map { fixed($0, digits: digits) } ?? "null" }
        func count(_ value: Int?) -> String { value.map { "\($0)" } ?? "null" }
        let values = [
            "\(row.beacon.major)", "\(row.beacon.minor)", "\(row.silence)", count(row.missingAfter),
            number(row.share, 2), number(row.level, 1), number(row.usual, 1), row.isSteady ? "1" : "0",
            number(row.spread, 1), number(row.dip, 1), number(row.drift, 1), number(row.interval, 3),
            number(row.usualInterval, 3), row.hasIntruder ? "1" : "0", "\(row.claim)",
            count(row.usualClaim.map(Int.init)), count(row.battery), number(row.before, 1), number(row.fall, 1),
        ]
        return "[\(values.joined(separator: ","))]"
    }
}

extension HealthReadingsMessage {
    /// - Parameter host: the scanner's name in the topic.
    /// - Throws: `FleetMessageError` if it is not such a message.
    package init(json: [UInt8], host: String) throws(FleetMessageError) {
        guard json.count <= Self.mostBytes else {
            throw FleetMessageError("is larger than \(Self.mostBytes >> 10) KiB")
        }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "message of health")
        guard (0...SecondBarrier.seconds.upperBound / 60).contains(wire.minute) else {
            throw FleetMessageError("has an impossible minute")
        }
        readings = ScannerReadings(
            scanner: host, minute: wire.minute, isBlind: wire.state != "ok", isSettled: wire.settled, readings: [])
        readings.readings = try BeaconRows.read(
            wire.beacons, atMost: Self.mostRows, beacon: \.beacon, Self.reading)
    }

    private static func reading(_ row: [Double?], _ uuid: ProximityUUID) throws(FleetMessageError) -> HealthReading {
        func whole(_ index: Int, _ range: ClosedRange<Int>) -> Int? {
            row[index].flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        func number(_ index: Int, _ range: ClosedRange<Double>) -> Double? {
            row[index].flatMap { range.contains($0) ? $0 : nil }
        }
        let levels = -127.0...20
        guard row.count >= 19, let major = whole(0, 0...65_535), let minor = whole(1, 0...65_535),
            let silence = whole(2, 0...10_000_000), let share = number(4, 0...1), let spread = number(8, 0...100),
            let dip = number(9, 0...200), let drift = number(10, -200...200), let claim = whole(14, -128...127),
            let fall = number(18, 0...200)
        else { throw FleetMessageError("has a row that is not the health of a beacon") }
        return HealthReading(
            beacon: BeaconID(uuid: uuid, major: UInt16(major), minor: UInt16(minor)), silence: silence,
            missingAfter: whole(3, 1...10_000_000), share: share, level: number(5, levels),
            before: number(17, levels), usual: number(6, levels),
            isSteady: row[7] == 1, spread: spread, dip: dip,
            fall: fall, drift: drift,
            interval: number(11, 0.001...100_000), usualInterval: number(12, 0.001...100_000),
            hasIntruder: row[13] == 1,
            claim: Int8(claim), usualClaim: whole(15, -128...127).map { Int8($0) }, battery: whole(16, 0...100))
    }

    private struct Wire: Decodable {
        var minute: Int64
        var state: String
        var settled: Bool
        var beacons: [String: [[Double?]]]
    }
}
