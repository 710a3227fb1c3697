package import Beacon
import Synchronization

/// All receivers, by the IDs in sightings (`Sighting.source`): every source, and every scanner that an observation
/// table names.
package final class Receivers: Sendable {
    package struct Receiver: Hashable, Sendable {
        /// As it is written: `hci0`, `file:walk.csv`.
        package var source: String
        /// The source's name for it; nil if the source is a single receiver.
        package var scanner: String?

        package init(source: String, scanner: String? = nil) {
            self.source = source
            self.scanner = scanner
        }

        /// The name to show.
        package var name: String { scanner ?? source }
    }

    private struct State {
        var list: [Receiver]
        var ids: [Receiver: SourceID] = [:]
        /// Sources that name their scanners, and are none of them.
        var naming: Set<String> = []
        /// Sources that have got the name of a scanner, in that order.
        var named: [SourceID] = []

        /// Nil if there are no more IDs.
        mutating func id(of receiver: Receiver) -> SourceID? {
            if let id = ids[receiver] { return id }
            guard list.count <= SourceID.last.place else { return nil }
            let id = SourceID(place: list.count)
            list.append(receiver)
            ids[receiver] = id
            return id
        }

        mutating func id(ofScanner scanner: String, from source: SourceID) -> SourceID? {
            let owner = list[source.place]
            guard let id = id(of: Receiver(source: owner.source, scanner: scanner)) else { return nil }
            if owner.scanner == nil { naming.insert(owner.source) }
            return id
        }
    }

    private let state: Mutex<State>

    /// - Parameter sources: their indices are their IDs.
    package init(sources: [String] = []) {
        state = Mutex(State(list: sources.map { Receiver(source: $0) }))
    }

    /// All of them, by their IDs. Others may be added later.
    package var all: [Receiver] { listed(from: 0) }

    /// The receivers from an index on, for callers that keep what they have. It is a separate copy, because adding to a
    /// shared list would copy it as a whole.
    package func listed(from first: Int) -> [Receiver] {
        state.withLock { Array($0.list.dropFirst(first)) }
    }

    package var count: Int { state.withLock { $0.list.count } }

    /// The names of all of them, by their IDs.
    package var names: [String] { state.withLock { $0.list.map(\.name) } }

    /// The same if there is more than one receiver, otherwise nil. A source whose rows name their scanners does not
    /// count as a receiver itself.
    package var severalNames: [String]? {
        state.withLock { $0.list.count - $0.naming.count > 1 ? $0.list.map(\.name) : nil }
    }

    /// The names of those that are scanners. A source whose rows name their scanners is none itself, unless it has rows
    /// without a name.
    ///
    /// - Parameter heard: the IDs in all sightings.
    package func scannerNames(heard: Set<SourceID>) -> [String] {
        state.withLock { state in
            state.list.enumerated().compactMap { place, receiver -> String? in
                let isOnlyNaming = receiver.scanner == nil && state.naming.contains(receiver.source)
                return isOnlyNaming && !heard.contains(SourceID(place: place)) ? nil : receiver.name
            }
        }
    }

    /// The ID of a source; a new one if it is not known yet.
    package func id(ofSource source: String) -> SourceID {
        state.withLock { $0.id(of: Receiver(source: source)) ?? .last }
    }

    /// The ID of a scanner that a source names; a new one if it is not known yet.
    ///
    /// - Parameter source: the source's own ID, which is returned if there are no more IDs.
    package func id(ofScanner scanner: String, from source: SourceID) -> SourceID {
        state.withLock { state in
            guard source.place < state.list.count else { return source }
            return state.id(ofScanner: scanner, from: source) ?? source
        }
    }

    /// A source proves to be several scanners. The one that was heard so far keeps the source's ID: what came before
    /// is its own.
    ///
    /// - Returns: the scanner's ID.
    package func name(_ source: SourceID, asScanner scanner: String) -> SourceID {
        state.withLock { state in
            guard source.place < state.list.count else { return source }
            let owner = state.list[source.place]
            let receiver = Receiver(source: owner.source, scanner: scanner)
            guard owner.scanner == nil, state.ids[receiver] == nil else {
                return state.id(ofScanner: scanner, from: source) ?? source
            }
            state.list[source.place] = receiver
            state.ids[receiver] = source
            state.named.append(source)
            return source
        }
    }

    /// Whether a source has the name of a scanner.
    package func isNamed(_ source: SourceID) -> Bool {
        state.withLock { source.place < $0.list.count && $0.list[source.place].scanner != nil }
    }

    /// The sources that have got the name of a scanner, from a count of them on: who keeps what it knows asks for
    /// these, too.
    package func named(from first: Int) -> [(id: SourceID, receiver: Receiver)] {
        state.withLock { state in
            state.named.dropFirst(first).map { (id: $0, receiver: state.list[$0.place]) }
        }
    }
}
