import Beacon
import Events
import Platform
import Ranging
import Synchronization

/// Collects the sightings of ranging for the health of beacons. Ranging only passes its batches on.
final class HealthFeed: RangingObserver {
    private struct State {
        var batches: [[Sighting]] = []
        var count = 0
        /// The wall clock's time of the last tick.
        var time: Timestamp?
        var isOn = false
    }

    /// The most sightings that wait. Further ones are dropped: a part of a minute is enough.
    private static let capacity = 100_000

    private let state = Mutex(State())

    func begin() { state.withLock { $0 = State(isOn: true) } }

    func end() { state.withLock { $0 = State() } }

    func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        state.withLock { state in
            guard state.isOn else { return }
            state.time = ranking.time
            guard !sightings.isEmpty, state.count + sightings.count <= Self.capacity else { return }
            state.batches.append(sightings)
            state.count += sightings.count
        }
    }

    /// The sightings since the last call, and the time of the last tick; nil before the first tick.
    func take() -> (sightings: [Sighting], time: Timestamp)? {
        let (batches, time) = state.withLock { state in
            defer { (state.batches, state.count) = ([], 0) }
            return (state.batches, state.time)
        }
        return time.map { (Array(batches.joined()), $0) }
    }
}
