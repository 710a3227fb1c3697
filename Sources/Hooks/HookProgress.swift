package import Events
import Synchronization

/// The last event that hooks have read. It outlives a reload of their settings: the hooks with the new settings
/// subscribe before those with the old ones end, and continue after the last event that these have read.
package final class HookProgress: Sendable {
    private let id = Mutex<EventRecord.ID?>(nil)

    package init() {}

    /// Nil before the first event.
    package var last: EventRecord.ID? { id.withLock { $0 } }

    func note(_ batch: EventBatch) {
        guard let new = batch.records.last?.id else { return }
        id.withLock { $0 = new }
    }
}
