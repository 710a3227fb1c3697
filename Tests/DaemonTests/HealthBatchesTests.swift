import Beacon
import Daemon
import Testing

/// 12 seconds after the start of a minute.
private let start = Timestamp(seconds: 1_800_000_012)

private func sightings(_ count: Int) -> [Sighting] {
    let beacon = IBeacon(id: BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2), measuredPower: -59)
    return Array(repeating: Sighting(time: start, rssi: -60, beacon: beacon), count: count)
}

@Suite struct HealthBatchesTests {
    /// Takes what waits at `start`, and then adds ticks so many seconds later.
    ///
    /// - Returns: whether each of them was due; and what waits after them.
    private func due(_ ticks: [(seconds: Double, sightings: Int)]) -> (isDue: [Bool], waiting: HealthBatches) {
        var waiting = HealthBatches()
        _ = waiting.add([], at: start)
        _ = waiting.take()
        let isDue = ticks.map { waiting.add(sightings($0.sightings), at: start.advanced(bySeconds: $0.seconds)) }
        return (isDue, waiting)
    }

    @Test("nothing can be taken before the first tick, which is due at once")
    func first() {
        var waiting = HealthBatches()
        let before = waiting.take()
        #expect(before?.time == nil)
        let isDue = waiting.add([], at: start)
        #expect(isDue)
        let taken = waiting.take()
        #expect(taken?.time == start)
    }

    @Test("sightings are due five seconds after the last ones were taken, and come in their order")
    func pause() {
        let (isDue, after) = due([(2, 2), (4.5, 3), (5, 0)])
        var waiting = after
        #expect(isDue == [false, false, true])
        let taken = waiting.take()
        #expect(taken?.batches.map(\.count) == [2, 3])
        #expect(taken?.time == start.advanced(bySeconds: 5))
        let rest = waiting.take()
        #expect(rest?.batches.count == 0)
    }

    @Test("without sightings, nothing is due until the minute has ended")
    func rest() {
        let ticks = stride(from: 3.0, through: 48, by: 3).map { (seconds: $0, sightings: 0) }
        let (isDue, _) = due(ticks)
        #expect(isDue == Array(repeating: false, count: 15) + [true])
    }

    @Test("a clock that is set back does not keep sightings waiting")
    func clock() {
        let (isDue, _) = due([(-3600, 1)])
        #expect(isDue == [true])
    }

    @Test("sightings beyond the limit are dropped")
    func limit() {
        var waiting = due([(1, HealthBatches.capacity), (2, 1)]).waiting
        let taken = waiting.take()
        #expect(taken?.batches.map(\.count) == [HealthBatches.capacity])
    }
}
