package import Beacon
import DequeModule
package import Events

/// Events that wait for their commands. Kinds that may come in any number have a limit; rare events are never dropped
/// because of it.
package struct HookQueue: Sendable {
    private let kinds: Set<String>
    private let after: EventRecord.ID?
    private let capacity: Int
    private var limit: FloodLimit
    private var waiting: Deque<EventRecord> = []
    /// Events dropped since the last report, because commands take too long or the reader was too slow.
    private var missed = 0
    private var toldAt: Double?

    /// The interval between two reports of dropped events, in seconds.
    private static let spacing = 10.0

    /// - Parameters:
    ///   - kinds: the kinds that have a command.
    ///   - after: events up to this one are not for these hooks.
    ///   - capacity: the maximum number of waiting events.
    package init(
        kinds: Set<String>, after: EventRecord.ID? = nil, capacity: Int = 4096,
        limit: FloodLimit = FloodLimit(unnamed: 100, named: 1000)
    ) {
        self.kinds = kinds
        self.after = after
        self.capacity = max(1, capacity)
        self.limit = limit
    }

    /// The number of waiting events.
    package var count: Int { waiting.count }

    /// Adds new events.
    ///
    /// - Parameters:
    ///   - isNamed: whether a beacon has a name.
    ///   - now: seconds of a clock that is never set.
    /// - Returns: how many were dropped.
    package mutating func add(_ batch: EventBatch, at now: Double, isNamed: (BeaconID) -> Bool) -> Int {
        var left = batch.missed
        missed += batch.missed
        for record in batch.records where kinds.contains(record.event.kind) {
            if let after, record.id <= after { continue }
            guard limit.passes(record.event, isNamed: record.event.beacon.map(isNamed) ?? false, at: now) else {
                left += 1
                continue
            }
            waiting.append(record)
            guard waiting.count > capacity else { continue }
            let oldest = waiting.firstIndex { FloodLimit.limits($0.event) }
            waiting.remove(at: oldest ?? waiting.startIndex)
            missed += 1
            left += 1
        }
        return left
    }

    /// The next event to run a command for.
    package mutating func next() -> EventRecord? { waiting.popFirst() }

    /// Gives away the events that wait, because these hooks start no more commands.
    package mutating func handOver() -> [EventRecord] {
        defer { waiting.removeAll() }
        return Array(waiting)
    }

    /// Takes over what waited for former hooks. It has passed the limits there.
    ///
    /// - Returns: the number of events of kinds that have no command any more, and a message for each kind.
    package mutating func takeOver(_ records: [EventRecord]) -> (count: Int, lines: [String]) {
        waiting.append(contentsOf: records.filter { kinds.contains($0.event.kind) })
        let left = records.filter { !kinds.contains($0.event.kind) }
        return (left.count, Self.notPassed(left, "it was removed"))
    }

    /// A message for each kind of events that get no command.
    static func notPassed(_ records: [EventRecord], _ reason: String) -> [String] {
        var counts: [String: Int] = [:]
        for record in records { counts[record.event.kind, default: 0] += 1 }
        return counts.sorted { $0.key < $1.key }.map { kind, count in
            "hooks    \(count) \(count == 1 ? "event was" : "events were") not passed to the hook \(kind): \(reason)"
        }
    }

    /// The messages about dropped events.
    ///
    /// - Parameter isEnd: no more events follow, so everything is reported.
    package mutating func lines(at now: Double, isEnd: Bool = false) -> [String] {
        var lines = limit.summaries(at: now, isEnd: isEnd).map { "hooks    \($0.text) are left out" }
        if missed > 0, isEnd || toldAt.map({ now - $0 >= Self.spacing }) ?? true {
            lines.append("hooks    \(missed) events are left out: the commands take too long")
            (missed, toldAt) = (0, now)
        }
        return lines
    }
}
