public import Radio
import Synchronization

/// Whether the sources together can be believed about silence: they are blind when each of them is.
public final class HearingBoard: Sendable {
    /// By the sources' numbers. Those that have said nothing yet are blind.
    private let sources = Mutex<[UInt16: Hearing]>([:])

    public init() {}

    public var hearing: Hearing {
        sources.withLock { $0.values.contains(.ok) ? .ok : .blind }
    }

    public var isBlind: Bool { hearing == .blind }

    /// Notes what a source says. Returns the common state when it changed by this.
    @discardableResult
    public func note(_ hearing: Hearing, of index: UInt16) -> Hearing? {
        change { $0[index] = hearing }
    }

    /// Forgets all sources but these. Returns the common state when it changed by this.
    public func keep(_ indices: [UInt16]) -> Hearing? {
        change { $0 = $0.filter { indices.contains($0.key) } }
    }

    private func change(_ change: (inout [UInt16: Hearing]) -> Void) -> Hearing? {
        sources.withLock { sources in
            let before = sources.values.contains(.ok)
            change(&sources)
            let after = sources.values.contains(.ok)
            return before == after ? nil : after ? .ok : .blind
        }
    }
}
