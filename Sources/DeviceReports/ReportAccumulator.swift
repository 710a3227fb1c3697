package import Beacon
package import Ranging

/// Collects the data about beacons and visitors from one report to the next.
///
/// Pure: the instants come with the rankings.
package struct ReportAccumulator: Sendable {
    private struct Hearing {
        var first: Timestamp
        var last: Timestamp
        var source: SourceID
        var count = 1
        var level: Double?
    }

    private var start: Timestamp
    private var hearings: [BeaconID: Hearing] = [:]
    private var dwell: [DeviceReport.BeaconStay: DeviceReport.Dwell] = [:]
    /// The last ranking's instant, and its nearest beacon; nil while the scanner is blind.
    private var last: (time: Timestamp, nearest: BeaconID?)?

    /// The most beacons that are counted in a period. Others are ignored, so that forged beacons cannot fill the
    /// memory.
    private static let mostBeacons = 1000
    /// The longest time between two rankings, in seconds. A longer time is a pause, or the clock was set.
    private static let longestTick = 10.0
    /// Copies of one advertisement on several channels are less than this apart, in seconds (Core Specification Vol 6,
    /// Part B, 4.4.2.2).
    private static let shortestInterval = 0.02

    package init(start: Timestamp) {
        self.start = start
    }

    /// The start of the current period.
    package var begin: Timestamp { start }

    /// Adds the sightings and the ranking of a tick.
    ///
    /// - Parameter revision: the revision of the content that visitors see now; nil for none.
    package mutating func note(_ sightings: [Sighting], _ ranking: Ranking, isBlind: Bool, revision: Int64?) {
        for sighting in sightings { note(sighting) }
        for beacon in ranking.beacons { hearings[beacon.id]?.level = beacon.filteredRSSI }
        defer { last = isBlind ? nil : (ranking.time, ranking.nearest) }
        guard let last, !isBlind else { return }
        let seconds = ranking.time.seconds(since: last.time)
        if let nearest = last.nearest, seconds > 0, seconds <= Self.longestTick {
            add(nearest, revision) { $0.seconds += seconds }
        }
        if let nearest = ranking.nearest, nearest != last.nearest {
            add(nearest, revision) { $0.visits += 1 }
        }
    }

    private mutating func note(_ sighting: Sighting) {
        guard let time = sighting.time else { return }
        let id = sighting.beacon.id
        guard var hearing = hearings[id] else {
            guard hearings.count < Self.mostBeacons else { return }
            hearings[id] = Hearing(first: time, last: time, source: sighting.source)
            return
        }
        // Copies from another receiver are not further advertisements.
        if sighting.source == hearing.source, time.seconds(since: hearing.last) >= Self.shortestInterval {
            hearing.count += 1
            hearing.last = time
        }
        hearings[id] = hearing
    }

    private mutating func add(_ beacon: BeaconID, _ revision: Int64?, _ change: (inout DeviceReport.Dwell) -> Void) {
        let stay = DeviceReport.BeaconStay(beacon: beacon, revision: revision)
        guard dwell[stay] != nil || dwell.count < Self.mostBeacons else { return }
        change(&dwell[stay, default: DeviceReport.Dwell()])
    }

    /// Ends the period and starts the next one.
    ///
    /// - Parameter end: if the clock was set back, the period ends where it started.
    package mutating func finish(at end: Timestamp, version: String, state: DeviceState) -> DeviceReport {
        let heard = hearings.map { id, hearing in
            let seconds = hearing.last.seconds(since: hearing.first)
            return DeviceReport.HeardBeacon(
                id: id, rssi: hearing.level,
                interval: hearing.count > 1 && seconds > 0 ? seconds * 1000 / Double(hearing.count - 1) : nil,
                lastSeen: hearing.last)
        }
        var report = DeviceReport(
            start: start, end: max(start, end), version: version, revision: state.revision, missing: state.missing,
            isComplete: state.isComplete, problems: Array(state.problems.prefix(DeviceReport.mostProblems)),
            isBlind: state.isBlind,
            beacons: Array(heard.sorted { Self.isBefore($0, $1) }.prefix(DeviceReport.mostBeacons)), dwell: dwell)
        report.bound()
        // A start is never used twice, because the server takes a report with a known start for a copy.
        start = max(end, start.advanced(bySeconds: 0.001))
        hearings = [:]
        dwell = [:]
        return report
    }

    /// Orders beacons by level, the strongest first.
    private static func isBefore(_ one: DeviceReport.HeardBeacon, _ other: DeviceReport.HeardBeacon) -> Bool {
        let (level, others) = (one.rssi ?? -.infinity, other.rssi ?? -.infinity)
        return level != others ? level > others : one.id < other.id
    }
}

/// The state of the device at the end of a period.
package struct DeviceState: Hashable, Sendable {
    package var revision: Int64?
    /// The number of beacons whose content is not complete on the disk.
    package var missing = 0
    package var isComplete = false
    package var problems: [String] = []
    package var isBlind = false

    package init() {}
}
