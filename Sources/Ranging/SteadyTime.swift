package import Beacon

/// Converts between the wall clock and a time that runs evenly, by which silence is measured.
///
/// The wall clock can jump: by years when a Raspberry Pi gets the time from the network, by an hour when somebody
/// corrects it. Seconds that never passed must not make a beacon exit. So ranging uses steady time. It equals the wall
/// clock at the first reading, and then follows a monotonic clock. Ranging's results are reported in wall-clock time.
///
/// A plain value without a clock of its own. Before the first reading both times are the same.
package struct SteadyTime: Sendable, Hashable {
    /// Microseconds by which the wall clock is ahead of steady time.
    package private(set) var offset: Int64 = 0
    /// The offset before the last reading. Sightings between two readings may have either.
    private var formerOffset: Int64 = 0
    private var start: (time: Timestamp, elapsed: Duration)?
    private var now: Timestamp?

    /// A smaller difference, in microseconds, is the time that passes between reading one clock and the other.
    static let tolerance: Int64 = 250_000

    package init() {}

    package static func == (left: SteadyTime, right: SteadyTime) -> Bool {
        left.offset == right.offset && left.now == right.now
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(offset)
        hasher.combine(now)
    }

    /// Adds a reading of both clocks.
    ///
    /// - Parameters:
    ///   - wall: the wall clock's time.
    ///   - elapsed: the time since any fixed instant, by a monotonic clock that stops while the machine sleeps.
    /// - Returns: now, in steady time.
    package mutating func advance(wall: Timestamp, elapsed: Duration) -> Timestamp {
        guard let start else {
            start = (wall, elapsed)
            now = wall
            return wall
        }
        let steady = Timestamp(microseconds: start.time.microseconds &+ Self.microseconds(elapsed - start.elapsed))
        let ahead = wall.microseconds &- steady.microseconds
        formerOffset = offset
        if (ahead &- offset).magnitude > Self.tolerance.magnitude { offset = ahead }
        now = steady
        return steady
    }

    /// Converts a wall-clock time from between the last two readings, or after them, to steady time.
    package func steady(_ wall: Timestamp) -> Timestamp {
        let steady = Timestamp(microseconds: wall.microseconds &- offset)
        guard formerOffset != offset, let now else { return steady }
        // Read before the clock was set, if that offset brings it nearer.
        let former = Timestamp(microseconds: wall.microseconds &- formerOffset)
        return Self.distance(former, now) < Self.distance(steady, now) ? former : steady
    }

    /// Converts a steady time to wall-clock time.
    package func wall(_ steady: Timestamp) -> Timestamp {
        Timestamp(microseconds: steady.microseconds &+ offset)
    }

    private static func distance(_ left: Timestamp, _ right: Timestamp) -> UInt64 {
        (left.microseconds &- right.microseconds).magnitude
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    }
}

extension SteadyTime {
    /// The same ranking with wall-clock times.
    package func wall(_ ranking: Ranking) -> Ranking {
        guard offset != 0 else { return ranking }
        var ranking = ranking
        ranking.time = wall(ranking.time)
        for index in ranking.beacons.indices {
            ranking.beacons[index].lastSeen = wall(ranking.beacons[index].lastSeen)
        }
        return ranking
    }

    /// The same explanation with wall-clock times.
    package func wall(_ explanation: BeaconExplanation) -> BeaconExplanation {
        guard offset != 0 else { return explanation }
        var explanation = explanation
        explanation.time = wall(explanation.time)
        for index in explanation.readings.indices {
            explanation.readings[index].time = wall(explanation.readings[index].time)
        }
        explanation.verdict = explanation.verdict.map(wall)
        explanation.decisions = explanation.decisions.map(wall)
        return explanation
    }

    /// The same region with a wall-clock time.
    package func wall(_ region: RegionState) -> RegionState {
        RegionState(region: region.region, beacons: region.beacons, since: region.since.map(wall))
    }

    private func wall(_ decision: NearestDecision) -> NearestDecision {
        var decision = decision
        decision.time = wall(decision.time)
        return decision
    }
}
