package import Beacon
import Radio
import Synchronization

/// The state of all sources together. They are blind if each of them is.
package final class CombinedHearing: Sendable {
    private struct State {
        /// Sources that have not reported yet count as blind.
        var sources: [SourceID: Hearing] = [:]
        /// Sources that were lost and have not been `ok` since.
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

    /// `ok` if any source is; otherwise `inDoubt` if any is.
    package var hearing: Hearing { state.withLock { $0.hearing } }

    package var isBlind: Bool { hearing == .blind }

    /// Whether this source is blind. A source that has not reported yet counts as blind.
    package func isBlind(_ source: SourceID) -> Bool {
        state.withLock { $0.sources[source] ?? .blind } == .blind
    }

    package var isInDoubt: Bool { hearing == .inDoubt }

    /// Records a source's state. Returns the common state if this changed it between `ok` and `blind`. A short doubt
    /// matters only to ranging.
    @discardableResult
    package func note(_ hearing: Hearing, of source: SourceID) -> Hearing? {
        change { state in
            state.sources[source] = hearing
            if hearing != .blind { state.lost.remove(source) }
        }
    }

    /// Records that a source was lost, or could not be opened. Returns `blind` if all of them were lost and the common
    /// state was never returned: they were blind from the start, so it did not change.
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

    /// Forgets all sources except these. Returns the common state if this changed it.
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
