package import Beacon
package import Ranging

/// Gathers a report from the sightings of a source, ranked at even intervals of its own time.
package struct SourceRecording: Sendable {
    private var ticks: RangingTicks
    private var tape: IntervalStore
    private var first: Timestamp?
    private var last: Timestamp?
    private var withoutTime = 0
    private let maximumBeacons: Int

    /// Seconds between rankings.
    private static let tick = 0.5

    /// A recording that has heard nothing yet.
    package init(settings: RangingSettings = .init()) {
        ticks = RangingTicks(interval: Self.tick, settings: settings)
        maximumBeacons = settings.validated.maximumBeacons
        tape = IntervalStore(maximumBeacons: maximumBeacons)
    }

    /// Silence means nothing at present.
    package var isBlind: Bool {
        get { ticks.isBlind }
        set { ticks.isBlind = newValue }
    }

    /// Silence may mean nothing; the answer is due soon.
    package var isInDoubt: Bool {
        get { ticks.isInDoubt }
        set { ticks.isInDoubt = newValue }
    }

    /// Live, before what was heard is added: both clocks, read together.
    package mutating func readClocks(wall: Timestamp, elapsed: Duration) {
        ticks.readClocks(wall: wall, elapsed: elapsed)
    }

    /// Takes in one sighting. Without a time it is only counted.
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

    /// Everything up to `time` was added.
    package mutating func advance(to time: Timestamp) {
        let isBlind = isBlind
        ticks.advance(to: time) { tape.observe($0, $1, isBlind: isBlind) }
    }

    /// The report on what was added so far, from the first sighting to the last.
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
                span: first...last, resolution: ended.tape.resolution, localTime: localTime,
                maximumBeacons: maximumBeacons)
            ended.tape.play(into: &assembly)
            report = assembly.report(names: names)
        }
        report.sources = sources
        report.withoutTime = withoutTime
        report.dropped += ended.tape.dropped
        return report
    }
}
