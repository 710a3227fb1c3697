package import Beacon
package import Ranging

/// Turns the input and output of ranging into intervals and spans. Its memory does not grow with time.
/// A plain value without a clock: it takes the time from the rankings. If that time jumps (the clock was set, the
/// machine was suspended), open spans end before the jump and start again after it.
package struct ObservationRecorder: Sendable {
    /// The length of an interval in seconds. Each starts at a multiple of it.
    package var interval: Int
    /// Which beacons have room in the intervals that start from now on; nil for all.
    package var room: RecordingRoom?
    private let maximumBeacons: Int
    private var accumulator: IntervalAccumulator?
    private var lastTick: Timestamp?
    private var nextID = 0
    /// Open spans other than visits.
    private var open: [RecordedSpan.Subject: RecordedSpan] = [:]
    /// Open visits. A beacon received after the last clock jump has one.
    private var visits: [BeaconID: Visit] = [:]
    private var visitsAfter = Timestamp(microseconds: .min)
    /// Spans that ended since the last interval was returned.
    private var ended: [RecordedSpan] = []

    /// An open visit, without its beacon: there is one for each beacon.
    private struct Visit {
        var id: Int
        var begin: Timestamp
        var end: Timestamp

        func span(of beacon: BeaconID) -> RecordedSpan {
            RecordedSpan(id: id, subject: .visit(beacon), begin: begin, end: end)
        }
    }

    /// A ranking is valid for at most this many seconds. A longer time between two rankings is a clock jump.
    private static let longestTick = 60.0
    /// The most spans that wait for the end of the interval. Further ones are returned early.
    private static let mostEnded = 20_000

    /// - Parameters:
    ///   - interval: seconds.
    ///   - maximumBeacons: beacons in an interval. Sightings of further beacons count as dropped.
    ///   - room: which beacons have room; nil for all.
    package init(interval: Int, maximumBeacons: Int = 10_000, room: RecordingRoom? = nil) {
        self.interval = max(1, interval)
        self.maximumBeacons = maximumBeacons
        self.room = room
    }

    /// Adds a tick of ranging.
    ///
    /// - Parameters:
    ///   - sightings: the sightings since the last tick. All count for the interval that contains the ranking.
    ///   - events: what changed with the ranking.
    /// - Returns: the interval that has ended, if one has.
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
        // This must be the only reference while it is changed, or changing it copies it.
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

    /// The current interval so far. Reading it changes nothing.
    package var running: RecordedInterval? {
        accumulator.map { RecordedInterval(accumulator: $0, spans: ended.isEmpty ? openSpans : ended + openSpans) }
    }

    /// Ends the recording and returns what remains.
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
        // In one list from the start: there is a visit for each beacon.
        var spans: [RecordedSpan] = []
        spans.reserveCapacity(open.count + visits.count)
        spans += open.values
        for (beacon, visit) in visits { spans.append(visit.span(of: beacon)) }
        spans.sort { $0.id < $1.id }
        return spans
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

    private mutating func visit(at time: Timestamp) -> Visit {
        nextID += 1
        return Visit(id: nextID, begin: time, end: time)
    }

    private mutating func span(
        _ subject: RecordedSpan.Subject, _ begin: Timestamp, _ end: Timestamp
    ) -> RecordedSpan {
        nextID += 1
        return RecordedSpan(id: nextID, subject: subject, begin: begin, end: end)
    }

    /// Ends everything at the last known time. Visits start again when their beacons are received.
    private mutating func breakSpans() {
        ended += openSpans
        visits.removeAll()
        for (subject, old) in open { open[subject] = span(subject, old.end, old.end) }
    }

    /// Continues after a clock jump what was open before it.
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
                visits[beacon.id] = visit(at: heard)
            }
        }
    }

    private mutating func note(_ event: RangingEvent, at time: Timestamp, _ current: IntervalAccumulator) {
        switch event {
        case .entered(let id):
            guard visits[id] == nil, current.holds(id) else { return }
            let first = current.resumed(id).map { min($0, time) } ?? time
            visits[id] = visit(at: first)
        // A visit ends at its last sighting.
        case .exited(let id): if let visit = visits.removeValue(forKey: id) { ended.append(visit.span(of: id)) }
        case .nearest(let id, let previous):
            if let previous { end(.nearest(previous), at: time) }
            // In a flood of forged beacons, each may be the nearest for a moment.
            if let id, current.holds(id) { begin(.nearest(id), at: time) }
        case .regionEntered(let region): begin(.region(region.identifier), at: time)
        case .regionExited(let region, _): end(.region(region.identifier), at: time)
        case .proximity, .regionDwelled: break
        }
    }
}

package struct RecordedInterval: Sendable {
    package var accumulator: IntervalAccumulator
    /// The spans that ended in it, and those still open, up to the present.
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
        return Timestamp(microseconds: microseconds.subtractingClamped(rest < 0 ? rest + width : rest))
    }

    /// Seconds since `earlier`. Unlike a plain difference this cannot overflow.
    func elapsed(since earlier: Timestamp) -> Double {
        (Double(microseconds) - Double(earlier.microseconds)) / 1_000_000
    }
}
