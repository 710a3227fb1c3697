package import Beacon
package import Ranging

/// Makes a report from the sightings of a source, ranked at even intervals of the source's own time.
package struct SourceRecording: Sendable {
    private var ticks: RangingTicks
    private var tape: IntervalStore
    private var first: Timestamp?
    private var last: Timestamp?
    private var withoutTime = 0
    private let maximumBeacons: Int

    private static let tick = 0.5

    package init(settings: RangingSettings = .init()) {
        ticks = RangingTicks(interval: Self.tick, settings: settings)
        maximumBeacons = settings.validated.maximumBeacons
        tape = IntervalStore(maximumBeacons: maximumBeacons)
    }

    /// Whether the scanner is blind: a silent beacon may still be present.
    package var isBlind: Bool {
        get { ticks.isBlind }
        set { ticks.isBlind = newValue }
    }

    /// Whether the scanner may be blind; the answer will come soon.
    package var isInDoubt: Bool {
        get { ticks.isInDoubt }
        set { ticks.isInDoubt = newValue }
    }

    /// For live sources: both clocks, read together, before sightings are added.
    package mutating func readClocks(wall: Timestamp, elapsed: Duration) {
        ticks.readClocks(wall: wall, elapsed: elapsed)
    }

    /// Adds a sighting. One without a time is only counted.
    package mutating func add(_ sighting: borrowing Sighting) {
        guard let time = sighting.time else {
            withoutTime += 1
            return
        }
        first = min(first ?? time, time)
        last = max(last ?? time, time)
        let isBlind = isBlind
        ticks.add(sighting) { tape.observe($0, $1, isBlind: isBlind) }
        tape.add(sighting)
    }

    /// Reports that every sighting up to `time` has been added.
    package mutating func advance(to time: Timestamp) {
        let isBlind = isBlind
        ticks.advance(to: time) { tape.observe($0, $1, isBlind: isBlind) }
    }

    /// The report on everything added so far, from the first sighting to the last.
    package func report(
        names: [BeaconID: String] = [:], sources: [String] = [], localTime: LocalTime = .current
    ) -> HistoryReport {
        var ended = self
        let isBlind = isBlind
        ended.ticks.finish { ended.tape.observe($0, $1, isBlind: isBlind) }
        ended.tape.finish()
        var report = HistoryReport()
        if let first, let last {
            var assembly = ReportAssembly(
                span: first...last, resolution: ended.tape.resolution, lag: Self.lag(ticks.first ?? first),
                localTime: localTime, maximumBeacons: maximumBeacons)
            ended.tape.play(into: &assembly)
            report = assembly.report(names: names)
        }
        report.sources = sources
        report.withoutTime = withoutTime
        report.dropped += ended.tape.dropped
        return report
    }

    /// An interval holds whole ticks. Its first tick has the sightings of up to this many microseconds before it.
    ///
    /// - Parameter first: the first sighting, from which ticks are counted.
    private static func lag(_ first: Timestamp) -> Int64 {
        let tick = Int64(Self.tick * 1_000_000)
        return tick - (first.microseconds - first.floored(to: tick).microseconds)
    }
}
