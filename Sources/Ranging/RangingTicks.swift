package import Beacon

/// Rankings at even intervals of the source's time: the first comes one interval after the first sighting, and each
/// has seen everything up to its time. Live, `begin` has rankings come before the first sighting as well: nothing is in
/// range then.
package struct RangingTicks: Sendable {
    package private(set) var ranger: Ranger
    package let interval: Double
    package private(set) var first: Timestamp?
    private var next: Timestamp?
    private var last: Timestamp?
    private var lastTick: Timestamp?
    /// The ranger goes by steady time, where one is told, and everybody else by the source's.
    private var steady = SteadyTime()

    /// Silence after which a capture's clock is taken to have jumped, in seconds: no ranking is owed for such a gap.
    /// The same backwards: rankings go on from there.
    private static let longestGap = 3600.0

    /// - Parameter interval: seconds, more than 0.
    package init(interval: Double, settings: RangingSettings = RangingSettings()) {
        self.interval = interval
        ranger = Ranger(settings: settings)
    }

    /// Takes a sighting, after the ticks that are due before it.
    package mutating func add(_ sighting: borrowing Sighting, _ tick: (Ranking, [RangingEvent]) -> Void) {
        guard let time = sighting.time.map(steady.steady) else { return }
        advance(before: time, tick)
        if first == nil {
            first = time
            next = later(time)
        }
        var sighting = copy sighting
        sighting.time = time
        ranger.add(sighting)
        last = max(last ?? time, time)
    }

    /// Live, as soon as silence means something: rankings are due from now on. Later calls do nothing.
    package mutating func begin(at wall: Timestamp) {
        guard first == nil, next == nil else { return }
        next = later(steady.steady(wall))
    }

    /// Live, before what was heard is added: both clocks, read together (`SteadyTime.advance`). From then on a wall
    /// clock that is set changes nothing but the times that are told.
    package mutating func readClocks(wall: Timestamp, elapsed: Duration) {
        _ = steady.advance(wall: wall, elapsed: elapsed)
    }

    /// Gives the ticks that are due up to and including `time`.
    package mutating func advance(to time: Timestamp, _ tick: (Ranking, [RangingEvent]) -> Void) {
        let time = steady.steady(time)
        let (after, overflow) = time.microseconds.addingReportingOverflow(1)
        advance(before: Timestamp(microseconds: overflow ? .max : after), tick)
        // Silence up to a time that is told is no gap.
        if next != nil { last = max(last ?? time, time) }
    }

    /// The end of a source: a last ranking with everything that was heard.
    package mutating func finish(_ tick: (Ranking, [RangingEvent]) -> Void) {
        guard let next else { return }
        rank(at: next, tick)
        self.next = nil
    }

    /// Why a beacon was seen as it was at the last ranking; nil where it is not tracked, or nothing was ranked yet.
    package func explanation(of id: BeaconID) -> BeaconExplanation? {
        lastTick.flatMap { ranger.explanation(of: id, at: $0) }.map(steady.wall)
    }

    /// Silence means nothing at present.
    package var isBlind = false
    /// Silence may mean nothing; the answer is due soon.
    package var isInDoubt = false

    private mutating func rank(at time: Timestamp, _ tick: (Ranking, [RangingEvent]) -> Void) {
        lastTick = time
        let (ranking, events) = ranger.tick(at: time, isBlind: isBlind, isInDoubt: isInDoubt)
        tick(steady.wall(ranking), events)
    }

    /// One interval on; the end of all times has nothing after it.
    private func later(_ time: Timestamp) -> Timestamp {
        let step = Int64(min(max(1, (interval * 1_000_000).rounded()), 1e15))
        let (later, overflow) = time.microseconds.addingReportingOverflow(step)
        return Timestamp(microseconds: overflow ? .max : later)
    }

    private mutating func advance(before time: Timestamp, _ tick: (Ranking, [RangingEvent]) -> Void) {
        guard var due = next else { return }
        // As fractions: the difference of any two times fits.
        let gap = last.map { (Double(time.microseconds) - Double($0.microseconds)) / 1_000_000 } ?? 0
        if gap.magnitude > Self.longestGap {
            rank(at: due, tick)
            due = later(time)
            if gap < 0 { last = nil }
        }
        while due < time {
            rank(at: due, tick)
            due = later(due)
        }
        next = due
    }
}
