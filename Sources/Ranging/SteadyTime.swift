package import Beacon

/// The wall clock's times on a time that passes evenly, by which silence is judged.
///
/// The wall clock is set: by years when the network tells a Raspberry Pi the time, by an hour when somebody corrects
/// it. Seconds that never passed must not make a beacon leave. So ranging goes by steady time, which is the wall
/// clock's at the first reading and goes on with a clock that nobody sets; what ranging says is told in the wall
/// clock's times.
///
/// A plain value without a clock of its own. Before the first reading both times are the same.
package struct SteadyTime: Sendable, Hashable {
    /// Microseconds that the wall clock is ahead of steady time.
    package private(set) var offset: Int64 = 0
    /// The offset before the last reading: sightings between two readings may bear either.
    private var formerOffset: Int64 = 0
    private var start: (time: Timestamp, elapsed: Duration)?
    private var now: Timestamp?

    /// A smaller difference between the two clocks is the time that passes between reading one and the other.
    static let tolerance: Int64 = 250_000

    package init() {}

    package static func == (left: SteadyTime, right: SteadyTime) -> Bool {
        left.offset == right.offset && left.now == right.now
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(offset)
        hasher.combine(now)
    }

    /// Takes in both clocks, read together.
    ///
    /// - Parameters:
    ///   - wall: the wall clock's time.
    ///   - elapsed: since any fixed instant, by a clock that only goes forward and stands still while the machine
    ///   sleeps.
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

    /// A time of the wall clock from between the last two readings, or after them, in steady time.
    package func steady(_ wall: Timestamp) -> Timestamp {
        let steady = Timestamp(microseconds: wall.microseconds &- offset)
        guard formerOffset != offset, let now else { return steady }
        // From before the clock was set, if that brings it nearer.
        let former = Timestamp(microseconds: wall.microseconds &- formerOffset)
        return Self.distance(former, now) < Self.distance(steady, now) ? former : steady
    }

    /// A steady time as the wall clock shows it.
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
    /// The same ranking with the wall clock's times.
    package func wall(_ ranking: Ranking) -> Ranking {
        guard offset != 0 else { return ranking }
        var ranking = ranking
        ranking.time = wall(ranking.time)
        for index in ranking.beacons.indices {
            ranking.beacons[index].lastSeen = wall(ranking.beacons[index].lastSeen)
        }
        return ranking
    }

    /// The same explanation with the wall clock's times.
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

    /// The same region with the wall clock's time.
    package func wall(_ region: RegionState) -> RegionState {
        RegionState(region: region.region, beacons: region.beacons, since: region.since.map(wall))
    }

    private func wall(_ decision: NearestDecision) -> NearestDecision {
        var decision = decision
        decision.time = wall(decision.time)
        return decision
    }
}
