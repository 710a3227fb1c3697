package import Beacon
import DequeModule
import Synchronization

/// A resolver's results for all outputs: the newest snapshot, and the last events. The broker's thread publishes here
/// without waiting. Each reader reads at its own pace.
package final class FleetHub: Sendable {
    struct State {
        var snapshot: FleetSnapshot?
        /// Increases with every snapshot.
        var number: UInt64 = 0
        var changes = FleetChanges()
        var ring: Deque<FleetRecord> = []
        let firstID: UInt64
        var nextID: UInt64
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    let state: Mutex<State>
    private let capacity: Int

    /// - Parameters:
    ///   - capacity: the number of events that are kept for readers that reconnect.
    ///   - start: the first event's number comes from this time, so that numbers increase over restarts.
    package init(capacity: Int = 4096, start: Timestamp) {
        self.capacity = max(1, capacity)
        let first = UInt64(clamping: max(1, start.microseconds))
        state = Mutex(State(firstID: first, nextID: first))
    }

    /// The newest snapshot; nil if none was published yet.
    package var snapshot: FleetSnapshot? { state.withLock { $0.snapshot } }

    /// Publishes a snapshot, and its differences from the last one as events.
    package func publish(_ snapshot: FleetSnapshot) {
        let readers = state.withLock { state in
            state.snapshot = snapshot
            state.number += 1
            for event in state.changes.take(snapshot) {
                state.ring.append(FleetRecord(id: state.nextID, time: snapshot.time, event: event))
                state.nextID += 1
            }
            while state.ring.count > capacity { state.ring.removeFirst() }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for reader in readers { reader.resume() }
    }

    /// A new reader.
    ///
    /// - Parameter id: the last event that it has; nil for events from now on.
    package func subscribe(after id: UInt64? = nil) -> FleetSubscription {
        FleetSubscription(hub: self, after: id ?? state.withLock { $0.nextID - 1 })
    }
}

/// What is new for one reader.
package struct FleetBatch: Sendable {
    /// Whether the reader has missed events that are no longer kept.
    package var hasMissed = false
    package var records: [FleetRecord] = []
    package var snapshot: FleetSnapshot

    package init(snapshot: FleetSnapshot) { self.snapshot = snapshot }
}

/// A reader of the hub. At its own pace it gets every event, and the newest snapshot.
package final class FleetSubscription: Sendable {
    private struct Place {
        var lastID: UInt64
        var number: UInt64 = 0
    }

    private let hub: FleetHub
    private let place: Mutex<Place>

    init(hub: FleetHub, after id: UInt64) {
        self.hub = hub
        place = Mutex(Place(lastID: id))
    }

    /// Suspends until there is something new; nil if the task is cancelled. Only one task at a time.
    package func next() async -> FleetBatch? {
        while !Task.isCancelled {
            if let batch = take() { return batch }
            await wait()
        }
        return nil
    }

    private func take() -> FleetBatch? {
        place.withLock { place in
            hub.state.withLock { state in
                guard let snapshot = state.snapshot, place.number != state.number else { return nil }
                place.number = state.number
                var batch = FleetBatch(snapshot: snapshot)
                // A number from the future means that the clock was set back: every event is new.
                let last = place.lastID < state.nextID ? place.lastID : 0
                let oldest = state.ring.first?.id ?? state.nextID
                batch.hasMissed = last < state.nextID - 1 && last + 1 < max(oldest, state.firstID)
                // Numbers have no gaps.
                let begin = last < oldest ? 0 : min(state.ring.count, Int(clamping: last - oldest) + 1)
                batch.records = Array(state.ring[begin...])
                place.lastID = state.nextID - 1
                return batch
            }
        }
    }

    private func wait() async {
        let waiter = hub.state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let number = place.withLock { $0.number }
                let isNew = hub.state.withLock { state in
                    guard state.number == number, !Task.isCancelled else { return true }
                    state.waiting[waiter] = continuation
                    return false
                }
                if isNew { continuation.resume() }
            }
        } onCancel: {
            hub.state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume()
        }
    }
}
