package import DequeModule
import Events

/// Events that the broker has not acknowledged, in their order.
///
/// The first entries are in flight. When the connection is lost, they are sent again. A receiver recognises a repeated
/// event by its `id`.
package struct Outbox: Sendable {
    package struct Entry: Hashable, Sendable {
        /// Increases by one, also over restarts.
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

    /// How many events may be in flight: libmosquitto holds back those above its own limit of 20.
    private static let window = 20

    package private(set) var entries: Deque<Entry> = []
    /// The size of all entries together.
    package private(set) var bytes = 0
    /// Entries that were dropped for newer ones, and events that were lost before they came here.
    package private(set) var dropped = 0
    /// The last event that was ever added; nil if there was none.
    package private(set) var lastEvent: UInt64?
    /// The number of the next entry.
    package private(set) var nextSequence: UInt64
    /// How many of the first entries are in flight.
    private var sent = 0
    private var acknowledged: Set<UInt64> = []
    private let capacity: Int
    private let byteCapacity: Int

    /// - Parameters:
    ///   - capacity: the maximum number of entries.
    ///   - byteCapacity: the maximum size, so that a few large events cannot use all memory.
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

    /// Whether there is so much room that no entry will be dropped soon.
    var hasRoom: Bool { entries.count <= capacity / 2 && bytes <= byteCapacity / 2 }

    /// Counts events that were lost before they came here.
    package mutating func lose(_ count: Int) {
        dropped += max(0, count)
    }

    /// Adds an event at the end.
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

    /// The next entry to send; nil if there is none or enough are in flight.
    package mutating func next() -> Entry? {
        while sent < entries.count, sent < Self.window {
            sent += 1
            let entry = entries[sent - 1]
            // Acknowledged before, over a connection that was lost since then.
            if !acknowledged.contains(entry.sequence) { return entry }
        }
        return nil
    }

    /// The broker has the entry. Numbers of entries that are not in flight are ignored.
    package mutating func acknowledge(_ sequence: UInt64) {
        guard let first = entries.first, sequence >= first.sequence, sequence < first.sequence + UInt64(sent) else {
            return
        }
        acknowledged.insert(sequence)
        while let first = entries.first, acknowledged.contains(first.sequence) { removeFirst() }
    }

    /// The connection was lost: entries in flight will be sent again.
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
