package import Beacon
import Text

/// What a device reports about one period. It contains nothing about persons.
package struct DeviceReport: Hashable, Sendable {
    package var start: Timestamp
    package var end: Timestamp
    /// The version of the program.
    package var version: String
    /// The revision of the current list; nil without a list.
    package var revision: Int64?
    /// The number of beacons whose content is not complete on the disk, and whether all content of the list is.
    package var missing: Int
    package var isComplete: Bool
    /// The problems, one per line.
    package var problems: [String]
    package var isBlind: Bool
    package var beacons: [HeardBeacon]
    package var dwell: [BeaconStay: Dwell]

    /// A beacon that was received.
    package struct HeardBeacon: Hashable, Sendable {
        package var id: BeaconID
        /// The filtered level in dBm; nil without a reading.
        package var rssi: Double?
        /// The mean interval between sightings in milliseconds, losses included; nil with fewer than two sightings.
        package var interval: Double?
        package var lastSeen: Timestamp
    }

    /// A beacon, and the revision of the content that was shown there.
    package struct BeaconStay: Hashable, Sendable {
        package var beacon: BeaconID
        package var revision: Int64?

        package init(beacon: BeaconID, revision: Int64?) {
            self.beacon = beacon
            self.revision = revision
        }
    }

    /// How long a beacon was the nearest, in seconds, and how often it became the nearest.
    package struct Dwell: Hashable, Sendable {
        package var seconds: Double
        package var visits: Int

        package init(seconds: Double = 0, visits: Int = 0) {
            self.seconds = seconds
            self.visits = visits
        }
    }

    /// The most entries of each list.
    static let mostBeacons = 200
    static let mostStays = 400
    static let mostProblems = 10

    /// Appends a later report. The result covers both periods.
    package mutating func append(_ later: DeviceReport) {
        let dwell = dwell.merging(later.dwell) {
            Dwell(seconds: $0.seconds + $1.seconds, visits: $0.visits + $1.visits)
        }
        let problems = problems.filter { !later.problems.contains($0) }
        let heard = Set(later.beacons.map(\.id))
        let beacons = later.beacons + beacons.filter { !heard.contains($0.id) }
        let start = start
        self = later
        self.start = start
        self.dwell = dwell
        self.problems = Array((later.problems + problems).prefix(Self.mostProblems))
        self.beacons = Array(beacons.prefix(Self.mostBeacons))
        bound()
    }

    /// Keeps the longest stays if there are too many.
    mutating func bound() {
        guard dwell.count > Self.mostStays else { return }
        let longest = dwell.sorted { $0.value.seconds > $1.value.seconds }.prefix(Self.mostStays)
        dwell = Dictionary(uniqueKeysWithValues: longest.map { ($0.key, $0.value) })
    }

    /// The report in the form in which it is sent.
    package func json(host: String) -> String {
        var json = JSONText()
        json.object { json in
            json.value("format", 1)
            json.value("host", host)
            json.value("version", version)
            json.value("period_start", start.rfc3339)
            json.value("period_end", end.rfc3339)
            json.value("revision", revision.map { Int(clamping: $0) })
            json.value("complete", isComplete)
            json.value("missing", missing)
            json.array("problems") { json in
                for problem in problems.prefix(Self.mostProblems) { json.value(nil, String(problem.prefix(300))) }
            }
            json.value("scanner", isBlind ? "blind" : "ok")
            json.array("beacons") { json in
                for beacon in beacons.prefix(Self.mostBeacons) { Self.write(beacon, into: &json) }
            }
            json.array("dwell") { json in
                for (stay, dwell) in dwell.sorted(by: { $0.key.order < $1.key.order }) {
                    Self.write(stay, dwell, into: &json)
                }
            }
        }
        return json.text
    }

    private static func write(_ beacon: HeardBeacon, into json: inout JSONText) {
        json.object { json in
            json.identity(beacon.id, name: nil)
            json.value("rssi", beacon.rssi, digits: 1)
            json.value("interval_ms", beacon.interval, digits: 0)
            json.value("last_seen", beacon.lastSeen.rfc3339)
        }
    }

    private static func write(_ stay: BeaconStay, _ dwell: Dwell, into json: inout JSONText) {
        json.object { json in
            json.identity(stay.beacon, name: nil)
            json.value("revision", stay.revision.map { Int(clamping: $0) })
            json.value("seconds", dwell.seconds, digits: 1)
            json.value("visits", dwell.visits)
        }
    }
}

extension DeviceReport.BeaconStay {
    fileprivate var order: (String, UInt16, UInt16, Int64) {
        ("\(beacon.uuid)", beacon.major, beacon.minor, revision ?? -1)
    }
}
