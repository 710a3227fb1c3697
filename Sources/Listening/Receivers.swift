import Synchronization

/// Who hears, by the numbers that sightings carry (`Sighting.scanner`): every source, and every further scanner that an
/// observation table names.
public final class Receivers: Sendable {
    public struct Receiver: Hashable, Sendable {
        /// As it is written: `hci0`, `file:walk.csv`.
        public var source: String
        /// What the source itself calls it; nil where the source is one receiver.
        public var scanner: String?

        public init(source: String, scanner: String? = nil) {
            self.source = source
            self.scanner = scanner
        }

        /// What people call it.
        public var name: String { scanner ?? source }
    }

    private struct State {
        var list: [Receiver]
        var numbers: [Receiver: UInt16] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter sources: have the numbers of their places.
    public init(sources: [String] = []) {
        state = Mutex(State(list: sources.map { Receiver(source: $0) }))
    }

    /// All of them by their numbers. More may come.
    public var all: [Receiver] { state.withLock { $0.list } }

    /// The number of a scanner that a source names; a new one where it was not named before.
    ///
    /// - Parameter source: the source's own number, which also counts where there are no more numbers.
    public func number(of scanner: String, from source: UInt16) -> UInt16 {
        state.withLock { state in
            guard Int(source) < state.list.count else { return source }
            let receiver = Receiver(source: state.list[Int(source)].source, scanner: scanner)
            if let number = state.numbers[receiver] { return number }
            guard state.list.count <= Int(UInt16.max) else { return source }
            let number = UInt16(state.list.count)
            state.list.append(receiver)
            state.numbers[receiver] = number
            return number
        }
    }
}
