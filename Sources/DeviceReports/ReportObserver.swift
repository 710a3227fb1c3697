package import Beacon
import Events
package import Ranging
import Synchronization

/// Collects what ranging observes, as long as reports are sent.
package final class ReportObserver: RangingObserver {
    private struct State {
        var accumulator: ReportAccumulator?
        var revision: Int64?
    }

    private let state = Mutex(State())

    package init() {}

    package func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        state.withLock { state in
            state.accumulator?.note(sightings, ranking, isBlind: isBlind, revision: state.revision)
        }
    }

    func begin(at time: Timestamp) {
        state.withLock { $0.accumulator = ReportAccumulator(start: time) }
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
        state.withLock { $0.accumulator?.finish(at: time, version: version, state: device) }
    }
}
