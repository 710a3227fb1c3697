package import Beacon
package import Content
package import Ranging
import Synchronization

/// What has come for a reader since it last asked.
package struct EventBatch: Sendable {
    /// In order, each once.
    package var records: [EventRecord] = []
    /// Events before the first of `records` were lost to this reader, because it was slower than the ring is long, or
    /// asks for what is too old.
    package var hasMissed = false
    /// How many of this run were lost so.
    package var missed = 0
    /// The newest ranking, where it is newer than the last that this reader got.
    package var ranking: (ranking: Ranking, isBlind: Bool)?
    /// Its number: another reader's ranking of the same number is the same.
    package var rankingNumber: UInt64 = 0
    /// What is being fetched, where that has changed.
    package var progress: [(beacon: BeaconID?, progress: ContentProgress)]?

    package init() {}
}

/// A reader's place in the hub. Keeps nothing but numbers, so that a slow reader costs nothing. One task reads it.
package final class EventSubscription: Sendable {
    private struct Place {
        var lastID: EventRecord.ID
        var rankings: UInt64 = 0
        var progresses: UInt64 = 0
    }

    private let hub: EventHub
    private let wantsStates: Bool
    private let place: Mutex<Place>
    /// Its number among those for whom events are kept; nil where none are.
    private let holder: UInt64?

    /// At most so many events at once.
    private static let largestBatch = 256

    init(hub: EventHub, after id: EventRecord.ID, wantsStates: Bool, keeping most: Int) {
        self.hub = hub
        self.wantsStates = wantsStates
        place = Mutex(Place(lastID: id))
        holder = hub.state.withLock { state in
            guard most > 0 else { return nil }
            state.nextWaiter += 1
            state.held[state.nextWaiter] = (id, most)
            return state.nextWaiter
        }
    }

    deinit {
        if let holder { hub.state.withLock { _ = $0.held.removeValue(forKey: holder) } }
    }

    /// Suspends until there is something new. Nil when the hub is finished and everything was read, or the task was
    /// cancelled.
    package func next() async -> EventBatch? {
        while !Task.isCancelled {
            let (batch, isFinished) = take()
            if let batch { return batch }
            guard !isFinished else { return nil }
            await wait()
        }
        return nil
    }

    /// What is new now; nil where nothing is.
    package func take() -> (batch: EventBatch?, isFinished: Bool) {
        place.withLock { place in
            hub.state.withLock { state in
                var batch = EventBatch()
                var isNew = false
                let last = state.nextID - 1
                // A number from the future is another run's, with another clock: everything is new to its holder.
                if place.lastID > last {
                    batch.hasMissed = true
                    isNew = true
                    place.lastID = (state.ring.first?.id ?? state.nextID) - 1
                }
                if place.lastID < last, state.ring.isEmpty {
                    // What came before the first event of this run is not kept.
                    batch.hasMissed = true
                    isNew = true
                    place.lastID = last
                }
                if place.lastID < last, let first = state.ring.first {
                    batch.hasMissed = batch.hasMissed || place.lastID + 1 < first.id
                    batch.missed = Int(clamping: first.id - min(first.id, max(place.lastID + 1, state.firstID)))
                    let begin = Int(max(place.lastID + 1, first.id) - first.id)
                    batch.records = Array(state.ring[begin...].prefix(Self.largestBatch))
                    place.lastID = batch.records.last?.id ?? last
                    isNew = true
                }
                if let holder { state.held[holder]?.lastID = place.lastID }
                if wantsStates {
                    if place.rankings != state.snapshot.rankings, let ranking = state.snapshot.ranking {
                        batch.ranking = (ranking, state.snapshot.isBlind)
                        place.rankings = state.snapshot.rankings
                        batch.rankingNumber = state.snapshot.rankings
                        isNew = true
                    }
                    if place.progresses != state.progresses {
                        batch.progress = state.snapshot.progress
                        place.progresses = state.progresses
                        isNew = true
                    }
                }
                return (isNew ? batch : nil, state.isFinished)
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
                let place = place.withLock { $0 }
                let isOver = hub.state.withLock { state in
                    let isNew =
                        state.nextID - 1 != place.lastID
                        || wantsStates
                            && (state.snapshot.rankings != place.rankings || state.progresses != place.progresses)
                    guard !isNew, !state.isFinished, !Task.isCancelled else { return true }
                    state.waiting[waiter] = (wantsStates, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            hub.state.withLock { $0.waiting.removeValue(forKey: waiter) }?.1.resume()
        }
    }
}
