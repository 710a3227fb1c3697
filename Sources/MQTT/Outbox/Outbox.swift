package import DequeModule
import Events

/// Events that the broker has not acknowledged, in their order.
///
/// What is under way is the front of the line; when the connection is lost, it is sent again. Whoever gets an event
/// twice knows it by its `id`.
package struct Outbox: Sendable {
    package struct Entry: Hashable, Sendable {
        /// Rises by one, over restarts too.
        package var sequence: UInt64
        /// The event's own number.
        package var event: UInt64
        package var kind: String
        /// One line.
        package var json: String

        package init(sequence: UInt64, event: UInt64, kind: String, json: String) {
            self.sequence = sequence
            self.event = event
            self.kind = kind
            self.json = json
        }
    }

    /// Events under way at the same time: libmosquitto holds back what is above its own limit of 20.
    private static let window = 20

    package private(set) var entries: Deque<Entry> = []
    /// Of all entries together.
    package private(set) var bytes = 0
    /// Entries that had to go for newer ones, and events that never came here.
    package private(set) var dropped = 0
    /// The last event that was ever taken in; nil where none was.
    package private(set) var lastEvent: UInt64?
    /// The number of the next entry.
    package private(set) var nextSequence: UInt64
    /// So many of the first are under way.
    private var sent = 0
    private var acknowledged: Set<UInt64> = []
    private let capacity: Int
    private let byteCapacity: Int

    /// - Parameters:
    ///   - capacity: entries at most.
    ///   - byteCapacity: bytes at most, so that a few large events cannot take all memory.
    package init(
        _ entries: [Entry] = [], nextSequence: UInt64 = 1, lastEvent: UInt64? = nil, capacity: Int,
        byteCapacity: Int = 16 << 20
    ) {
        self.capacity = max(1, capacity)
        self.byteCapacity = byteCapacity
        self.nextSequence = max(nextSequence, (entries.last?.sequence ?? 0) + 1)
        self.lastEvent = lastEvent
        for entry in entries { append(entry) }
    }

    package var count: Int { entries.count }

    /// Few enough wait that it is not about to drop any.
    var hasRoom: Bool { entries.count <= capacity / 2 && bytes <= byteCapacity / 2 }

    /// Events were lost before they came here.
    package mutating func lose(_ count: Int) {
        dropped += max(0, count)
    }

    /// Puts an event at the end of the line.
    @discardableResult
    package mutating func add(event: UInt64, kind: String, json: String) -> Entry {
        let entry = Entry(sequence: nextSequence, event: event, kind: kind, json: json)
        nextSequence += 1
        append(entry)
        return entry
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        bytes += entry.size
        lastEvent = entry.event
        while entries.count > capacity || bytes > byteCapacity && entries.count > 1 {
            removeFirst()
            dropped += 1
        }
    }

    /// The next to send; nil where there is none, or enough is under way.
    package mutating func next() -> Entry? {
        while sent < entries.count, sent < Self.window {
            sent += 1
            let entry = entries[sent - 1]
            // Acknowledged before its turn, in a connection that was lost since.
            if !acknowledged.contains(entry.sequence) { return entry }
        }
        return nil
    }

    /// The broker has it. Numbers that are not under way are ignored.
    package mutating func acknowledge(_ sequence: UInt64) {
        guard let first = entries.first, sequence >= first.sequence, sequence < first.sequence + UInt64(sent) else {
            return
        }
        acknowledged.insert(sequence)
        while let first = entries.first, acknowledged.contains(first.sequence) { removeFirst() }
    }

    /// The connection is lost: what was under way is sent again.
    package mutating func rewind() {
        sent = 0
    }

    private mutating func removeFirst() {
        guard let first = entries.popFirst() else { return }
        acknowledged.remove(first.sequence)
        bytes -= first.size
        sent = max(0, sent - 1)
    }
}

extension Outbox.Entry {
    var size: Int { json.utf8.count + kind.utf8.count + 64 }
}
