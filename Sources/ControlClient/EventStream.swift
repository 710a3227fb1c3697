/// Reads server-sent events (HTML Living Standard, section 9.2.6) piece by piece.
package struct EventStreamReader: Sendable {
    /// One event of a stream.
    package struct Event: Hashable, Sendable {
        /// The event's id; nil if it has none.
        package var id: String?
        /// The event's type; `message` if none is given.
        package var kind: String
        /// The data lines, joined by line ends.
        package var data: String
    }

    private var line: [UInt8] = []
    private var lastWasReturn = false
    private var id: String?
    private var kind = ""
    private var data: [String] = []
    private var size = 0
    private var isFirst = true

    /// A longer line or event is cut. The unit is bytes; the daemon sends none that long.
    private static let limit = 4 << 20

    package init() {}

    /// Adds bytes, and returns the events that are now complete.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            defer { lastWasReturn = byte == 0x0D }
            switch byte {
            case 0x0A where lastWasReturn: break
            case 0x0A, 0x0D: if let event = endLine() { events.append(event) }
            default: if line.count < Self.limit { line.append(byte) }
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: line.capacity <= 65_536) }
        if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirst = false
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        // A comment, sent as a keep-alive.
        guard colon != line.startIndex else { return nil }
        let name = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
        var rest = colon.map { line[line.index(after: $0)...] } ?? []
        if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
        let value = String(decoding: rest, as: UTF8.self)
        switch name {
        case "event": kind = value
        case "id" where !value.contains("\0"): id = value
        case "data" where size + value.utf8.count <= Self.limit:
            data.append(value)
            size += value.utf8.count + 1
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer { (id, kind, data, size) = (nil, "", [], 0) }
        guard !data.isEmpty else { return nil }
        return Event(id: id, kind: kind.isEmpty ? "message" : kind, data: data.joined(separator: "\n"))
    }
}
