package import Beacon
import Radio
import Synchronization

/// Whether the sources together can be believed about silence: they are blind when each of them is.
package final class CombinedHearing: Sendable {
    /// Those that have said nothing yet are blind.
    private let sources = Mutex<[SourceID: Hearing]>([:])

    package init() {}

    /// Whether any source can be believed; `inDoubt` where none can for sure.
    package var hearing: Hearing {
        sources.withLock { sources in
            sources.values.contains(.ok) ? .ok : sources.values.contains(.inDoubt) ? .inDoubt : .blind
        }
    }

    package var isBlind: Bool { hearing == .blind }

    /// Whether this source cannot be believed about silence. One that has said nothing yet cannot.
    package func isBlind(_ source: SourceID) -> Bool {
        sources.withLock { $0[source] ?? .blind } == .blind
    }

    package var isInDoubt: Bool { hearing == .inDoubt }

    /// Notes what a source says. Returns the common state when it changed by this between `ok` and `blind`: a doubt
    /// that lasts a moment is for ranging only.
    @discardableResult
    package func note(_ hearing: Hearing, of source: SourceID) -> Hearing? {
        change { $0[source] = hearing }
    }

    /// Forgets all sources but these. Returns the common state when it changed by this.
    package func keep(_ kept: [SourceID]) -> Hearing? {
        change { $0 = $0.filter { kept.contains($0.key) } }
    }

    private func change(_ change: (inout [SourceID: Hearing]) -> Void) -> Hearing? {
        sources.withLock { sources in
            let before = sources.values.contains { $0 != .blind }
            change(&sources)
            let after = sources.values.contains { $0 != .blind }
            return before == after ? nil : after ? .ok : .blind
        }
    }
}
