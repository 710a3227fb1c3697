package import Beacon
import DequeModule
package import Events

/// Events that wait for their commands. What may come in any number has a limit; what is rare is never left out for it.
package struct HookQueue: Sendable {
    private let kinds: Set<String>
    private let capacity: Int
    private var limit: FloodLimit
    private var waiting: Deque<EventRecord> = []
    /// Left out since that was last told, because commands take too long, or the reader was too slow.
    private var missed = 0
    private var toldAt: Double?

    /// Between two lines about what was left out, in seconds.
    private static let spacing = 10.0

    /// - Parameters:
    ///   - kinds: those that have a command.
    ///   - capacity: events that wait at most.
    package init(
        kinds: Set<String>, capacity: Int = 4096, limit: FloodLimit = FloodLimit(unnamed: 100, named: 1000)
    ) {
        self.kinds = kinds
        self.capacity = max(1, capacity)
        self.limit = limit
    }

    /// Events that wait.
    package var count: Int { waiting.count }

    /// Takes in what has come.
    ///
    /// - Parameters:
    ///   - isNamed: whether a beacon has a name.
    ///   - now: seconds of a clock that is never set.
    /// - Returns: how many were left out.
    package mutating func add(_ batch: EventBatch, at now: Double, isNamed: (BeaconID) -> Bool) -> Int {
        var left = batch.missed
        missed += batch.missed
        for record in batch.records where kinds.contains(record.event.kind) {
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

    /// The next to run.
    package mutating func next() -> EventRecord? { waiting.popFirst() }

    /// What is to be told of what was left out.
    ///
    /// - Parameter isEnd: nothing comes any more, so all is told.
    package mutating func lines(at now: Double, isEnd: Bool = false) -> [String] {
        var lines = limit.summaries(at: now, isEnd: isEnd).map { "hooks    \($0.text) are left out" }
        if missed > 0, isEnd || toldAt.map({ now - $0 >= Self.spacing }) ?? true {
            lines.append("hooks    \(missed) events are left out: the commands take too long")
            (missed, toldAt) = (0, now)
        }
        return lines
    }
}
