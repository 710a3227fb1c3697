import Synchronization

/// The counts of all sources since the program started, over all their connections.
package final class SourceCounters: Sendable {
    /// The counts of one source.
    package struct Entry: Sendable {
        /// As it is written.
        package var source: String
        package var tally = SourceTally()
        /// How many times it was connected.
        package var connections = 0

        package init(source: String) {
            self.source = source
        }
    }

    fileprivate struct Line {
        var entry: Entry
        var live: (any SightingSource)?
        /// Whether `live` is connected.
        var isConnected = false
    }

    /// In the order of their first connection.
    private let lines = Mutex<[Line]>([])

    package init() {}

    /// The current counts of all of them.
    package var entries: [Entry] {
        lines.withLock { lines in
            lines.map { line in
                var entry = line.entry
                if let live = line.live { entry.tally += live.tally }
                return entry
            }
        }
    }

    /// A connection to a source is being made, with `live`.
    package func begin(_ source: String, _ live: any SightingSource) {
        update(source) { line in
            line.fold()
            line.live = live
        }
    }

    /// The source is connected.
    package func connected(_ source: String) {
        update(source) { line in
            if !line.isConnected { line.entry.connections += 1 }
            line.isConnected = true
        }
    }

    /// The connection has ended.
    package func end(_ source: String) {
        update(source) { $0.fold() }
    }

    private func update(_ source: String, _ change: (inout Line) -> Void) {
        lines.withLock { lines in
            let index = lines.firstIndex { $0.entry.source == source } ?? lines.endIndex
            if index == lines.endIndex { lines.append(Line(entry: Entry(source: source))) }
            change(&lines[index])
        }
    }
}

extension SourceCounters.Line {
    fileprivate mutating func fold() {
        if let live { entry.tally += live.tally }
        live = nil
        isConnected = false
    }
}
