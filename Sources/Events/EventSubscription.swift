package import Beacon
package import Content
package import Ranging
import Synchronization

/// Everything new for a reader since its last call.
package struct EventBatch: Sendable {
    /// In order, each once.
    package var records: [EventRecord] = []
    /// Events before the first of `records` were lost to this reader: it was too slow for the ring, or asked for events
    /// that are too old.
    package var hasMissed = false
    /// How many events of this run were lost in this way.
    package var missed = 0
    /// The newest ranking, if this reader has not had it yet.
    package var ranking: (ranking: Ranking, isBlind: Bool)?
    /// The number of the ranking: rankings with the same number are the same.
    package var rankingNumber: UInt64 = 0
    /// Downloads in progress, if they have changed.
    package var progress: [(beacon: BeaconID?, progress: ContentProgress)]?

    package init() {}
}

/// A reader's position in the hub. It stores only numbers, so that a slow reader costs nothing. One task reads it.
package final class EventSubscription: Sendable {
    private struct Place {
        var lastID: EventRecord.ID
        var rankings: UInt64 = 0
        var progresses: UInt64 = 0
    }

    private let hub: EventHub
    private let wantsStates: Bool
    private let place: Mutex<Place>
    /// Its key among the readers for which events are kept; nil if none are kept.
    private let holder: UInt64?

    /// The most events in one batch.
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

    /// Suspends until there is something new. Nil when the hub is finished and everything was read, or when the task
    /// was cancelled.
    package func next() async -> EventBatch? {
        while !Task.isCancelled {
            let (batch, isFinished) = take()
            if let batch { return batch }
            guard !isFinished else { return nil }
            await wait()
        }
        return nil
    }

    /// What is new now; nil if nothing is.
    package func take() -> (batch: EventBatch?, isFinished: Bool) {
        place.withLock { place in
            hub.state.withLock { state in
                var batch = EventBatch()
                var isNew = Self.takeRecords(into: &batch, of: state, &place)
                if let holder { state.held[holder]?.lastID = place.lastID }
                if wantsStates, Self.takeStates(into: &batch, of: state, &place) { isNew = true }
                return (isNew ? batch : nil, state.isFinished)
            }
        }
    }

    /// - Returns: whether there is anything new.
    private static func takeRecords(
        into batch: inout EventBatch, of state: EventHub.State, _ place: inout Place
    ) -> Bool {
        var isNew = false
        let last = state.nextID - 1
        // A number in the future is from another run with another clock: all events are new to this reader.
        if place.lastID > last {
            batch.hasMissed = true
            isNew = true
            place.lastID = (state.ring.first?.id ?? state.nextID) - 1
        }
        if place.lastID < last, state.ring.isEmpty {
            // Events before the first one of this run are not kept.
            batch.hasMissed = true
            isNew = true
            place.lastID = last
        }
        if place.lastID < last, let first = state.ring.first {
            batch.hasMissed = batch.hasMissed || place.lastID + 1 < first.id
            batch.missed = Int(clamping: first.id - min(first.id, max(place.lastID + 1, state.firstID)))
            let begin = Int(max(place.lastID + 1, first.id) - first.id)
            batch.records = Array(state.ring[begin...].prefix(largestBatch))
            place.lastID = batch.records.last?.id ?? last
            isNew = true
        }
        return isNew
    }

    /// - Returns: whether there is a ranking or progress that the reader has not had.
    private static func takeStates(
        into batch: inout EventBatch, of state: EventHub.State, _ place: inout Place
    ) -> Bool {
        var isNew = false
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
        return isNew
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
