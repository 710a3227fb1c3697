import Beacon
import Ranging

/// Keeps a recorder's results in bounded memory. When there are too many intervals, it doubles their length.
struct IntervalStore: Sendable {
    private var waiting: [Sighting] = []
    private var last: (ranking: Ranking, isBlind: Bool)?
    /// Sightings that were not recorded.
    private(set) var dropped = 0
    private var recorder: ObservationRecorder
    private var intervals: [BeaconInterval] = []
    /// By number: the recorder may report a span again with a later end.
    private var spans: [Int: RecordedSpan] = [:]

    /// The greatest number of intervals, and of spans.
    private static let most = 20_000

    init(maximumBeacons: Int) {
        recorder = ObservationRecorder(interval: 1, maximumBeacons: maximumBeacons)
    }

    /// The length of an interval in seconds.
    var resolution: Int { recorder.interval }

    /// Adds a sighting; the next tick counts it.
    mutating func add(_ sighting: borrowing Sighting) {
        waiting.append(copy sighting)
        // After the clock was set back there is no tick for a while.
        if let last, waiting.count > Self.most { observe(last.ranking, [], isBlind: last.isBlind) }
    }

    mutating func observe(_ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        last = (ranking, isBlind)
        let over = recorder.observe(waiting, ranking, events, isBlind: isBlind)
        waiting.removeAll(keepingCapacity: true)
        if let over { keep(over) }
    }

    mutating func finish() {
        if let last = recorder.finish() { keep(last) }
    }

    private mutating func keep(_ over: RecordedInterval) {
        dropped += over.accumulator.dropped
        intervals += over.accumulator.beacons
        for span in over.spans where spans.count < Self.most || spans[span.id] != nil { spans[span.id] = span }
        while intervals.count > Self.most, recorder.interval < 1 << 30 { fold() }
    }

    /// Merges each two intervals into one of twice the length.
    private mutating func fold() {
        recorder.interval *= 2
        let width = Int64(recorder.interval) * 1_000_000
        var folded: [BeaconInterval] = []
        var places: [BeaconID: Int] = [:]
        for var interval in inOrder {
            let start = interval.start.floored(to: width)
            interval.start = start
            interval.seconds = recorder.interval
            if let place = places[interval.id], folded[place].start == start {
                folded[place].merge(interval)
            } else {
                places[interval.id] = folded.count
                folded.append(interval)
            }
        }
        intervals = folded
    }

    private var inOrder: [BeaconInterval] {
        intervals.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    }

    func play(into assembly: inout ReportAssembly) {
        for interval in inOrder { assembly.add(interval) }
        for span in spans.values { assembly.add(span) }
    }
}
