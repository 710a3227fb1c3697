package import Beacon
package import Ranging

/// Turns what ranging sees into intervals and spans, in memory that does not grow with time.
///
/// A plain value without a clock: time is that of the rankings. Where it jumps (a clock that was set, a machine that
/// slept), whatever goes on is ended before the jump and begun anew after it.
package struct ObservationRecorder: Sendable {
    /// The length of an interval in seconds. Intervals begin at multiples of it.
    package var interval: Int
    /// Which beacons have room in the intervals that begin from now on; nil for all.
    package var room: RecordingRoom?
    private let maximumBeacons: Int
    private var accumulator: IntervalAccumulator?
    private var lastTick: Timestamp?
    private var nextID = 0
    /// What goes on, visits apart.
    private var open: [RecordedSpan.Subject: RecordedSpan] = [:]
    /// Visits that go on. Who was heard later than the last jump of the clock is on one.
    private var visits: [BeaconID: RecordedSpan] = [:]
    private var visitsAfter = Timestamp(microseconds: .min)
    /// What has ended since the last interval was given out.
    private var ended: [RecordedSpan] = []

    /// A ranking stands for so many seconds at most; a longer time from one to the next is a jump.
    private static let longestTick = 60.0
    /// Spans that are kept until the interval is over; what is more is given out early.
    private static let mostEnded = 20_000

    /// - Parameters:
    ///   - interval: seconds.
    ///   - maximumBeacons: beacons in an interval; sightings of more are counted as dropped.
    ///   - room: which beacons have room; nil for all.
    package init(interval: Int, maximumBeacons: Int = 10_000, room: RecordingRoom? = nil) {
        self.interval = max(1, interval)
        self.maximumBeacons = maximumBeacons
        self.room = room
    }

    /// Takes in a tick of ranging.
    ///
    /// - Parameters:
    ///   - sightings: what was heard since the last tick; all of them count for the interval of the ranking.
    ///   - events: what changed with the ranking.
    /// - Returns: what is over, where an interval is.
    package mutating func observe(
        _ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool
    ) -> RecordedInterval? {
        let time = ranking.time
        let step = lastTick.map { time.elapsed(since: $0) } ?? 0
        let hasJumped = step < -2 || step > Self.longestTick
        let start = time.floored(to: Int64(interval) * 1_000_000)
        var over: RecordedInterval?
        if accumulator.map({ $0.start != start || $0.seconds != interval }) ?? false || ended.count > Self.mostEnded {
            if hasJumped { breakSpans() }
            over = takeInterval()
        } else if hasJumped {
            breakSpans()
        }
        var current =
            accumulator
            ?? IntervalAccumulator(start: start, seconds: interval, maximumBeacons: maximumBeacons, room: room)
        // The one place that holds it: changing it must not copy it.
        accumulator = nil
        for sighting in sightings { current.add(sighting) }
        current.add(ranking, for: hasJumped ? 0 : max(0, step), isBlind: isBlind)
        if hasJumped {
            resume(at: time)
            visitsAfter = step > 0 ? lastTick ?? visitsAfter : Timestamp(microseconds: .min)
        }
        lastTick = time
        for event in events { note(event, at: time, current) }
        note(ranking, isBlind: isBlind, current)
        accumulator = current
        return over
    }

    /// What there is of the interval that goes on. It can be asked for at any time, and changes nothing.
    package var running: RecordedInterval? {
        accumulator.map { RecordedInterval(accumulator: $0, spans: ended + openSpans) }
    }

    /// The end of the recording: what is left.
    package mutating func finish() -> RecordedInterval? {
        let last = takeInterval()
        open.removeAll()
        visits.removeAll()
        return last
    }

    private mutating func takeInterval() -> RecordedInterval? {
        defer {
            accumulator = nil
            ended.removeAll()
        }
        return running
    }

    private var openSpans: [RecordedSpan] {
        (Array(open.values) + visits.values).sorted { $0.id < $1.id }
    }

    // MARK: - Spans

    private mutating func begin(_ subject: RecordedSpan.Subject, at time: Timestamp) {
        guard open[subject] == nil else { return }
        open[subject] = span(subject, time, time)
    }

    private mutating func end(_ subject: RecordedSpan.Subject, at time: Timestamp) {
        guard var span = open.removeValue(forKey: subject) else { return }
        span.end = max(span.end, time)
        ended.append(span)
    }

    private mutating func span(
        _ subject: RecordedSpan.Subject, _ begin: Timestamp, _ end: Timestamp
    ) -> RecordedSpan {
        nextID += 1
        return RecordedSpan(id: nextID, subject: subject, begin: begin, end: end)
    }

    /// Ends everything where the clock was last. Visits begin anew where their beacons are heard.
    private mutating func breakSpans() {
        ended += openSpans
        visits.removeAll()
        for (subject, old) in open { open[subject] = span(subject, old.end, old.end) }
    }

    /// What went on before a jump of the clock goes on from here.
    private mutating func resume(at time: Timestamp) {
        for subject in open.keys {
            open[subject]?.begin = time
            open[subject]?.end = time
        }
    }

    private mutating func note(_ ranking: Ranking, isBlind: Bool, _ current: borrowing IntervalAccumulator) {
        let time = ranking.time
        begin(.recording, at: time)
        if isBlind { begin(.blind, at: time) } else { end(.blind, at: time) }
        for subject in open.keys { open[subject]?.end = time }
        for beacon in ranking.beacons {
            let heard = min(beacon.lastSeen, time)
            if let index = visits.index(forKey: beacon.id) {
                visits.values[index].end = max(visits.values[index].end, heard)
            } else if beacon.lastSeen > visitsAfter, current.holds(beacon.id) {
                visits[beacon.id] = span(.visit(beacon.id), heard, heard)
            }
        }
    }

    private mutating func note(_ event: RangingEvent, at time: Timestamp, _ current: IntervalAccumulator) {
        switch event {
        case .entered(let id):
            guard visits[id] == nil, current.holds(id) else { return }
            let first = current.resumed(id).map { min($0, time) } ?? time
            visits[id] = span(.visit(id), first, first)
        // Its last sighting is its end.
        case .exited(let id): if let visit = visits.removeValue(forKey: id) { ended.append(visit) }
        case .nearest(let id, let previous):
            if let previous { end(.nearest(previous), at: time) }
            // Each of a flood of forged ones may be the nearest for a moment.
            if let id, current.holds(id) { begin(.nearest(id), at: time) }
        case .regionEntered(let region): begin(.region(region.identifier), at: time)
        case .regionExited(let region, _): end(.region(region.identifier), at: time)
        case .proximity, .regionDwelled: break
        }
    }
}

/// What was recorded in one interval.
package struct RecordedInterval: Sendable {
    /// The beacons in it.
    package var accumulator: IntervalAccumulator
    /// What has ended in it, and what goes on, as far as it is known.
    package var spans: [RecordedSpan]

    package init(accumulator: IntervalAccumulator, spans: [RecordedSpan]) {
        self.accumulator = accumulator
        self.spans = spans
    }
}

extension Timestamp {
    /// The last multiple of a width in microseconds that is not later.
    func floored(to width: Int64) -> Timestamp {
        let rest = microseconds % width
        let (start, overflow) = microseconds.subtractingReportingOverflow(rest < 0 ? rest + width : rest)
        return Timestamp(microseconds: overflow ? .min : start)
    }

    /// Seconds from `earlier` to here. Unlike a plain difference it keeps its sign for any two values.
    func elapsed(since earlier: Timestamp) -> Double {
        (Double(microseconds) - Double(earlier.microseconds)) / 1_000_000
    }
}
