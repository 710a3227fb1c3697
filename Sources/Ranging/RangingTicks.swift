package import Beacon

/// Rankings at regular intervals of the source's time. The first comes one interval after the first sighting, and each
/// includes everything up to its time. For a live source, `begin` makes rankings come before the first sighting too:
/// then nothing is in range.
package struct RangingTicks: Sendable {
    package private(set) var ranger: Ranger
    package let interval: Double
    package private(set) var first: Timestamp?
    private var next: Timestamp?
    private var last: Timestamp?
    private var lastTick: Timestamp?
    /// The ranger uses steady time if clocks are read, and everything else the source's time.
    private var steady = SteadyTime()

    /// Seconds of silence after which a capture's clock counts as having jumped: such a gap gets no rankings. The same
    /// holds backwards: rankings continue from the new time.
    private static let longestGap = 3600.0

    /// Seconds from the end of a source to its last ranking, at most.
    private static let longestSilence = 1.0

    /// - Parameter interval: seconds, more than 0.
    package init(interval: Double, settings: RangingSettings = RangingSettings()) {
        self.interval = interval
        ranger = Ranger(settings: settings)
    }

    /// Adds a sighting, after the ticks that are due before it.
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

    /// For a live source, as soon as silence means something: rankings are due from now on. Later calls do nothing.
    package mutating func begin(at wall: Timestamp) {
        guard first == nil, next == nil else { return }
        next = later(steady.steady(wall))
    }

    /// For a live source, before sightings are added: both clocks, read together (`SteadyTime.advance`). From then on,
    /// setting the wall clock changes only the times that are reported.
    package mutating func readClocks(wall: Timestamp, elapsed: Duration) {
        _ = steady.advance(wall: wall, elapsed: elapsed)
    }

    /// Calls `tick` for each ranking that is due up to and including `time`.
    package mutating func advance(to time: Timestamp, _ tick: (Ranking, [RangingEvent]) -> Void) {
        let time = steady.steady(time)
        advance(before: Timestamp(microseconds: time.microseconds.addingClamped(1)), tick)
        // Silence up to a time that the caller names is no gap.
        if next != nil { last = max(last ?? time, time) }
    }

    /// The source has ended: makes a last ranking with everything that was received. With a long interval it does not
    /// come at the interval's end: nobody knows whether beacons would have been silent until then.
    package mutating func finish(_ tick: (Ranking, [RangingEvent]) -> Void) {
        guard let next else { return }
        rank(at: last.map { min(next, $0.advanced(bySeconds: Self.longestSilence)) } ?? next, tick)
        self.next = nil
    }

    /// Explains a beacon as of the last ranking; nil if it is not tracked, or if nothing was ranked yet.
    package func explanation(of id: BeaconID) -> BeaconExplanation? {
        lastTick.flatMap { ranger.explanation(of: id, at: $0) }.map(steady.wall)
    }

    /// Whether silence means nothing at present.
    package var isBlind = false
    /// Whether silence may mean nothing, which will be known soon.
    package var isInDoubt = false

    private mutating func rank(at time: Timestamp, _ tick: (Ranking, [RangingEvent]) -> Void) {
        lastTick = time
        let (ranking, events) = ranger.tick(at: time, isBlind: isBlind, isInDoubt: isInDoubt)
        tick(steady.wall(ranking), events)
    }

    /// One interval later, at most the greatest timestamp.
    private func later(_ time: Timestamp) -> Timestamp {
        let step = Int64(min(max(1, (interval * 1_000_000).rounded()), 1e15))
        return Timestamp(microseconds: time.microseconds.addingClamped(step))
    }

    private mutating func advance(before time: Timestamp, _ tick: (Ranking, [RangingEvent]) -> Void) {
        guard var due = next else { return }
        // As floating point, in which the difference of any two times fits.
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
