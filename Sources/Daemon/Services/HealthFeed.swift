import Beacon
import Events
import Ranging
import Synchronization

/// Collects the sightings of ranging for the health of beacons. Ranging only passes its batches on.
final class HealthFeed: RangingObserver {
    private struct State {
        var waiting = HealthBatches()
        /// Nil while nothing is collected.
        var due: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// Starts to collect.
    ///
    /// - Returns: has an element whenever `take` has work. No task is woken before that, so that threads can rest.
    func begin() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0 = State(due: continuation) }
        return stream
    }

    func end() {
        state.withLock { state in
            state.due?.finish()
            state = State()
        }
    }

    func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        state.withLock { state in
            guard let due = state.due else { return }
            if state.waiting.add(sightings, at: ranking.time) { due.yield() }
        }
    }

    /// The sightings since the last call, and the time of the last tick; nil before the first tick.
    func take() -> (batches: [[Sighting]], time: Timestamp)? {
        state.withLock { $0.waiting.take() }
    }
}
