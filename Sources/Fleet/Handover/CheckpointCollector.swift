package import FleetFormat
package import Rooms

/// For a resolver that was started beside others: collects the seconds that it has resolved, and the parts of the
/// others' checkpoint, until it can continue from that. A plain value.
package struct CheckpointCollector: Sendable {
    package typealias Second = (second: Int64, reports: [ScannerSecond])

    /// The maximum number of levels that are kept. There is a checkpoint every minute.
    private static let mostRows = SecondBarrier.mostRows
    private static let mostSeconds = 150

    private var seconds: [Second] = []
    private var rows = 0
    private var parts: [Int: RoomCheckpoint] = [:]
    private var count = 0
    private var last: Int64?
    /// The parts that the broker has delivered so far.
    package private(set) var retainedParts: Set<Int> = []

    package init() {}

    /// Adds a second that was resolved.
    package mutating func add(_ second: Int64, _ reports: [ScannerSecond]) {
        seconds.append((second, reports))
        rows += Self.rows(reports)
        while let first = seconds.first, rows > Self.mostRows || seconds.count > Self.mostSeconds {
            rows -= Self.rows(first.reports)
            seconds.removeFirst()
        }
    }

    private static func rows(_ reports: [ScannerSecond]) -> Int { reports.reduce(0) { $0 + $1.heard.count + 1 } }

    /// Forgets the seconds so far, because they were resolved on another map.
    package mutating func forgetSeconds() { (seconds, rows) = ([], 0) }

    package mutating func take(_ part: CheckpointMessage.Part) {
        retainedParts.insert(part.part)
        let checkpoint = part.checkpoint
        if let last, checkpoint.second < last { return }
        if checkpoint.second != last || part.parts != count { parts = [:] }
        (last, count) = (checkpoint.second, part.parts)
        parts[part.part] = checkpoint
    }

    /// The last checkpoint, if all of its parts are there.
    package var checkpoint: RoomCheckpoint? {
        guard var whole = parts[0], parts.count == count else { return nil }
        whole.followed = (0..<count).flatMap { parts[$0]?.followed ?? [] }
        return whole
    }

    /// The checkpoint and all seconds after it, if both are there.
    package var handover: (checkpoint: RoomCheckpoint, later: [Second])? {
        guard let last, let first = seconds.first?.second, let newest = seconds.last?.second,
            first <= last + 1, last <= newest, let checkpoint
        else { return nil }
        return (checkpoint, seconds.filter { $0.second > last })
    }
}
