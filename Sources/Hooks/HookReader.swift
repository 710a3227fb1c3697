package import Events

/// Picks the events that have a command, and counts those that were lost because the commands are slow.
package struct HookReader: Sendable {
    private let kinds: Set<String>
    private var last: EventRecord.ID?

    package init(kinds: Set<String>) {
        self.kinds = kinds
    }

    /// - Returns: the events in their order, and how many before them are missing.
    package mutating func take(_ batch: EventBatch) -> (records: [EventRecord], missed: Int) {
        var missed = 0
        if let first = batch.records.first, let last, first.id > last + 1 { missed = Int(clamping: first.id - last - 1) }
        last = batch.records.last?.id ?? last
        return (batch.records.filter { kinds.contains($0.event.kind) }, missed)
    }
}
