package import Beacon
import Radio
import Synchronization

/// Whether the sources together can be believed about silence: they are blind when each of them is.
package final class CombinedHearing: Sendable {
    private struct State {
        /// Those that have said nothing yet are blind.
        var sources: [SourceID: Hearing] = [:]
        /// Those that were lost, and have not been well since.
        var lost: Set<SourceID> = []
        /// The common state was returned at least once.
        var isTold = false

        /// The common state.
        var hearing: Hearing {
            sources.values.contains(.ok) ? .ok : sources.values.contains(.inDoubt) ? .inDoubt : .blind
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether any source can be believed; `inDoubt` where none can for sure.
    package var hearing: Hearing { state.withLock { $0.hearing } }

    package var isBlind: Bool { hearing == .blind }

    /// Whether this source cannot be believed about silence. One that has said nothing yet cannot.
    package func isBlind(_ source: SourceID) -> Bool {
        state.withLock { $0.sources[source] ?? .blind } == .blind
    }

    package var isInDoubt: Bool { hearing == .inDoubt }

    /// Notes what a source says. Returns the common state when it changed by this between `ok` and `blind`: a doubt
    /// that lasts a moment is for ranging only.
    @discardableResult
    package func note(_ hearing: Hearing, of source: SourceID) -> Hearing? {
        change { state in
            state.sources[source] = hearing
            if hearing != .blind { state.lost.remove(source) }
        }
    }

    /// Notes that a source was lost, or could not be opened. Returns `blind` where all of them were lost and the common
    /// state was never returned: they are blind since the start, which is no change.
    package func noteLoss(of source: SourceID) -> Hearing? {
        state.withLock { state in
            state.lost.insert(source)
            guard !state.isTold, state.hearing == .blind, state.lost.isSuperset(of: state.sources.keys) else {
                return nil
            }
            state.isTold = true
            return .blind
        }
    }

    /// Forgets all sources but these. Returns the common state when it changed by this.
    package func keep(_ kept: [SourceID]) -> Hearing? {
        change { state in
            state.sources = state.sources.filter { kept.contains($0.key) }
            state.lost.formIntersection(kept)
        }
    }

    private func change(_ change: (inout State) -> Void) -> Hearing? {
        state.withLock { state in
            let before = state.hearing
            change(&state)
            let after = state.hearing
            guard (before == .blind) != (after == .blind) else { return nil }
            state.isTold = true
            return after == .blind ? .blind : .ok
        }
    }
}
