public import Radio
import Synchronization

/// Whether the sources together can be believed about silence: they are blind when each of them is.
public final class HearingBoard: Sendable {
    private let sources: Mutex<[Hearing]>

    /// - Parameter count: sources; each is blind until it says otherwise.
    public init(count: Int) {
        sources = Mutex(Array(repeating: .blind, count: count))
    }

    public var hearing: Hearing {
        sources.withLock { $0.contains(.ok) ? .ok : .blind }
    }

    public var isBlind: Bool { hearing == .blind }

    /// Notes what a source says. Returns the common state when it changed by this.
    @discardableResult
    public func note(_ hearing: Hearing, of index: UInt16) -> Hearing? {
        sources.withLock { sources in
            guard sources.indices.contains(Int(index)) else { return nil }
            let before = sources.contains(.ok)
            sources[Int(index)] = hearing
            let after = sources.contains(.ok)
            return before == after ? nil : after ? .ok : .blind
        }
    }
}
