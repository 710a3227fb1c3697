package import Beacon
import Events
import Platform
package import Ranging
import Synchronization

/// Collects what ranging observes, as long as reports are sent.
package final class ReportObserver: RangingObserver {
    private struct State {
        var accumulator: ReportAccumulator?
        var revision: Int64?
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> Duration

    /// - Parameter clock: a clock that nobody sets.
    package init(clock: @escaping @Sendable () -> Duration = { SteadyClock.elapsed }) {
        self.clock = clock
    }

    package func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        let elapsed = clock()
        state.withLock { state in
            state.accumulator?.note(
                sightings, ranking, elapsed: elapsed, isBlind: isBlind, revision: state.revision)
        }
    }

    func begin(at time: Timestamp) {
        let elapsed = clock()
        state.withLock { $0.accumulator = ReportAccumulator(start: time, elapsed: elapsed) }
    }

    func end() {
        state.withLock { $0.accumulator = nil }
    }

    /// From now on, visitors see the content of this revision.
    func use(_ revision: Int64?) {
        state.withLock { $0.revision = revision }
    }

    /// Ends a period; nil if none has started.
    func finish(at time: Timestamp, version: String, state device: DeviceState) -> DeviceReport? {
        let elapsed = clock()
        return state.withLock {
            $0.accumulator?.finish(at: time, elapsed: elapsed, version: version, state: device)
        }
    }
}
