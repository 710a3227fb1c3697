import Synchronization

/// Who hears, by the numbers that sightings carry (`Sighting.scanner`): every source, and every further scanner that an
/// observation table names.
package final class Receivers: Sendable {
    package struct Receiver: Hashable, Sendable {
        /// As it is written: `hci0`, `file:walk.csv`.
        package var source: String
        /// What the source itself calls it; nil where the source is one receiver.
        package var scanner: String?

        package init(source: String, scanner: String? = nil) {
            self.source = source
            self.scanner = scanner
        }

        /// What people call it.
        package var name: String { scanner ?? source }
    }

    private struct State {
        var list: [Receiver]
        var numbers: [Receiver: UInt16] = [:]
        /// Sources that name their scanners.
        var naming: Set<String> = []

        /// Nil where there are no more numbers.
        mutating func number(of receiver: Receiver) -> UInt16? {
            if let number = numbers[receiver] { return number }
            guard list.count <= Int(UInt16.max) else { return nil }
            let number = UInt16(list.count)
            list.append(receiver)
            if receiver.scanner != nil { naming.insert(receiver.source) }
            numbers[receiver] = number
            return number
        }
    }

    private let state: Mutex<State>

    /// - Parameter sources: have the numbers of their places.
    package init(sources: [String] = []) {
        state = Mutex(State(list: sources.map { Receiver(source: $0) }))
    }

    /// All of them by their numbers. More may come.
    package var all: [Receiver] { listed(from: 0) }

    /// Those from a number on: who keeps what it knows asks only for what is new. A copy of its own, because a list that
    /// is shared would be copied whole with the next receiver.
    package func listed(from first: Int) -> [Receiver] {
        state.withLock { Array($0.list.dropFirst(first)) }
    }

    package var count: Int { state.withLock { $0.list.count } }

    /// What all of them are called, by their numbers.
    package var names: [String] { state.withLock { $0.list.map(\.name) } }

    /// The same where more than one hears, else nil. A source whose rows name their scanners is none itself.
    package var severalNames: [String]? {
        state.withLock { $0.list.count - $0.naming.count > 1 ? $0.list.map(\.name) : nil }
    }

    /// The number of a source; a new one where it was not named before.
    package func number(ofSource source: String) -> UInt16 {
        state.withLock { $0.number(of: Receiver(source: source)) ?? .max }
    }

    /// The number of a scanner that a source names; a new one where it was not named before.
    ///
    /// - Parameter source: the source's own number, which also counts where there are no more numbers.
    package func number(of scanner: String, from source: UInt16) -> UInt16 {
        state.withLock { state in
            guard Int(source) < state.list.count else { return source }
            return state.number(of: Receiver(source: state.list[Int(source)].source, scanner: scanner)) ?? source
        }
    }
}
