import DequeModule

/// The outbox as a file: lines that are only appended.
///
///     beacond-outbox 1
///     + SEQUENCE EVENT KIND JSON      an event was added
///     - SEQUENCE EVENT                entries up to this one are settled; EVENT is the last event ever added
///
/// The last line may be incomplete (a kill, a full disk); it is then skipped.
package enum OutboxJournal {
    package static let header = "beacond-outbox 1\n"

    /// The content of a file.
    package struct Contents: Hashable, Sendable {
        package var entries: [Outbox.Entry] = []
        package var nextSequence: UInt64 = 1
        package var lastEvent: UInt64?
        /// Invalid lines.
        package var damaged = 0
    }

    package static func line(_ entry: Outbox.Entry) -> String {
        "+ \(entry.sequence) \(entry.event) \(entry.kind) \(entry.json)\n"
    }

    /// - Parameter sequence: the last entry that is settled.
    package static func settled(_ sequence: UInt64, lastEvent: UInt64?) -> String {
        "- \(sequence) \(lastEvent ?? 0)\n"
    }

    /// The whole file for an outbox.
    package static func text(_ outbox: Outbox) -> String {
        let first = outbox.entries.first?.sequence ?? outbox.nextSequence
        return outbox.entries.reduce(into: header + settled(first - 1, lastEvent: outbox.lastEvent)) { $0 += line($1) }
    }

    /// Reads any bytes without failing.
    package static func contents(of bytes: some Sequence<UInt8>) -> Contents {
        var contents = Contents()
        var entries: Deque<Outbox.Entry> = []
        let lines = Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Text after the last line end is not a complete line.
        for line in lines.dropLast() {
            guard let text = String(validating: line, as: UTF8.self), contents.read(text[...], &entries) else {
                contents.damaged += 1
                continue
            }
        }
        contents.entries = Array(entries)
        return contents
    }
}

extension OutboxJournal.Contents {
    /// Returns false if the line is invalid.
    ///
    /// - Parameter entries: the entries that are not settled, in their order.
    fileprivate mutating func read(_ line: Substring, _ entries: inout Deque<Outbox.Entry>) -> Bool {
        if line + "\n" == OutboxJournal.header { return true }
        let parts = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 3, let sequence = UInt64(parts[1]), let event = UInt64(parts[2]), sequence < 1 << 62 else {
            return false
        }
        switch parts[0] {
        case "+":
            // Sequence numbers always increase in a valid file.
            guard parts.count == 5, sequence >= nextSequence, !parts[3].isEmpty, parts[4].first == "{",
                parts[4].last == "}"
            else { return false }
            entries.append(
                Outbox.Entry(sequence: sequence, event: event, kind: String(parts[3]), json: String(parts[4])))
            nextSequence = sequence + 1
            lastEvent = event
        case "-":
            guard parts.count == 3 else { return false }
            while let first = entries.first, first.sequence <= sequence { entries.removeFirst() }
            nextSequence = max(nextSequence, sequence + 1)
            if event > 0 { lastEvent = event }
        default:
            return false
        }
        return true
    }
}
