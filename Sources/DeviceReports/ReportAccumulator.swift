package import Beacon
package import Ranging

/// Collects the data about beacons and visitors from one report to the next.
///
/// Pure: every input comes with both clocks, read together. Intervals are measured in steady time, because the wall
/// clock may be set. Reports have the times of the wall clock.
package struct ReportAccumulator: Sendable {
    /// With instants in steady time.
    private struct Hearing {
        var first: Timestamp
        var last: Timestamp
        var source: SourceID
        var count = 1
        var level: Double?
    }

    private var steady: SteadyTime
    /// The start of the current period, in steady time.
    private var start: Timestamp
    private var hearings: [BeaconID: Hearing] = [:]
    private var dwell: [DeviceReport.BeaconStay: DeviceReport.Dwell] = [:]
    /// The last ranking's instant in steady time, and its nearest beacon; nil while the scanner is blind.
    private var last: (time: Timestamp, nearest: BeaconID?)?

    /// The most beacons that are counted in a period. Others are ignored, so that forged beacons cannot fill the
    /// memory.
    private static let mostBeacons = 1000
    /// The longest time between two rankings, in seconds. A longer time is a pause.
    private static let longestTick = 10.0
    /// Copies of one advertisement on several channels are less than this apart, in seconds (Core Specification Vol 6,
    /// Part B, 4.4.2.2).
    private static let shortestInterval = 0.02

    /// - Parameter elapsed: a steady clock's time at the start (`SteadyTime.advance`).
    package init(start: Timestamp, elapsed: Duration) {
        var steady = SteadyTime()
        self.start = steady.advance(wall: start, elapsed: elapsed)
        self.steady = steady
    }

    /// Adds the sightings and the ranking of a tick.
    ///
    /// - Parameters:
    ///   - elapsed: the steady clock's time of the ranking.
    ///   - revision: the revision of the content that visitors see now; nil for none.
    package mutating func note(
        _ sightings: [Sighting], _ ranking: Ranking, elapsed: Duration, isBlind: Bool, revision: Int64?
    ) {
        let now = steady.advance(wall: ranking.time, elapsed: elapsed)
        for sighting in sightings { note(sighting) }
        for beacon in ranking.beacons { hearings[beacon.id]?.level = beacon.filteredRSSI }
        defer { last = isBlind ? nil : (now, ranking.nearest) }
        guard let last, !isBlind else { return }
        let seconds = now.seconds(since: last.time)
        if let nearest = last.nearest, seconds > 0, seconds <= Self.longestTick {
            add(nearest, revision) { $0.seconds += seconds }
        }
        if let nearest = ranking.nearest, nearest != last.nearest {
            add(nearest, revision) { $0.visits += 1 }
        }
    }

    private mutating func note(_ sighting: Sighting) {
        guard let time = sighting.time.map(steady.steady) else { return }
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

    /// Ends the period and starts the next one. If the wall clock was set, all times of the report are by the new one,
    /// so that the period is as long as it was.
    ///
    /// - Parameter elapsed: the steady clock's time at the end.
    package mutating func finish(
        at end: Timestamp, elapsed: Duration, version: String, state: DeviceState
    ) -> DeviceReport {
        // On a copy: the wall clock may just have been set, and the next sightings may be from before that.
        var steady = steady
        let now = max(start, steady.advance(wall: end, elapsed: elapsed))
        let heard = hearings.map { id, hearing in
            let seconds = hearing.last.seconds(since: hearing.first)
            return DeviceReport.HeardBeacon(
                id: id, rssi: hearing.level,
                interval: hearing.count > 1 && seconds > 0 ? seconds * 1000 / Double(hearing.count - 1) : nil,
                lastSeen: steady.wall(hearing.last))
        }
        var report = DeviceReport(
            start: steady.wall(start), end: steady.wall(now), version: version, revision: state.revision,
            missing: state.missing, isComplete: state.isComplete,
            problems: Array(state.problems.prefix(DeviceReport.mostProblems)), isBlind: state.isBlind,
            beacons: Array(heard.sorted { Self.isBefore($0, $1) }.prefix(DeviceReport.mostBeacons)), dwell: dwell)
        report.bound()
        // A start is never used twice, because the server takes a report with a known start for a copy.
        start = max(now, start.advanced(bySeconds: 0.001))
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
