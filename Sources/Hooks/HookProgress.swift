package import Events
import Synchronization

/// How far hooks have come: the last event that they have read, and those before it that have no command yet. It
/// outlives a reload of their settings: the hooks with the new settings subscribe before those with the old ones end,
/// and continue where these have stopped.
package final class HookProgress: Sendable {
    private struct State {
        var last: EventRecord.ID?
        var waiting: [EventRecord] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Nil before the first event.
    package var last: EventRecord.ID? { state.withLock { $0.last } }

    func note(_ batch: EventBatch) {
        guard let new = batch.records.last?.id else { return }
        state.withLock { $0.last = new }
    }

    /// Leaves events that still wait to the hooks that follow.
    package func leave(_ records: [EventRecord]) {
        state.withLock { $0.waiting += records }
    }

    /// Takes what was left. It is left to nobody else then.
    package func take() -> [EventRecord] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Removes what was left, because no hooks follow.
    ///
    /// - Returns: how many events there were, and a message for each kind.
    package func giveUp() -> (count: Int, lines: [String]) {
        let left = take()
        return (left.count, HookQueue.notPassed(left, "stopped"))
    }
}
