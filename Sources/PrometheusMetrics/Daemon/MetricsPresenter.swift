import Beacon
import Content
package import Events
package import Ranging
import Synchronization

/// Counts the daemon's events.
package final class MetricsPresenter: Presenter {
    private let registry: MetricRegistry
    /// The beacon whose content is expected, and since when.
    private let awaited = Mutex<(beacon: BeaconID?, since: Timestamp)?>(nil)
    /// Sources that are listened to.
    private let listening = Mutex<Set<String>>([])

    package init(_ registry: MetricRegistry) {
        self.registry = registry
        registry.update { set in
            // An event that has not happened yet must be 0, not absent: rates need a first value.
            set.add(0, to: .nearestSwitches)
            for outcome in Outcome.allCases { set.add(0, to: .contentSyncs, [outcome.label]) }
            for kind in EventKind.allCases { set.add(0, to: .events, [MetricLabel("event", kind.rawValue)]) }
            for outcome in ["applied", "refused"] {
                set.add(0, to: .configurations, [MetricLabel("outcome", outcome)])
            }
        }
    }

    package func show(_ record: EventRecord) {
        registry.update { set in
            if !record.event.isPassing { set.add(to: .events, [MetricLabel("event", record.event.kind)]) }
            switch record.event {
            case .listening(let source, _):
                _ = listening.withLock { $0.insert(source) }
                set.add(0, to: .sourceLosses, [MetricLabel("source", source)])
            case .lost(let source, _, _):
                // One that cannot be opened is not lost again with each try.
                let wasListening = listening.withLock { $0.remove(source) != nil }
                set.add(wasListening ? 1 : 0, to: .sourceLosses, [MetricLabel("source", source)])
            case .ranging(.nearest(let beacon, _)):
                set.add(to: .nearestSwitches)
                awaited.withLock { $0 = (beacon, record.time) }
            case .content(let event): note(event, at: record.time, &set)
            case .configuration(let isGood, _):
                set.add(to: .configurations, [MetricLabel("outcome", isGood ? "applied" : "refused")])
            case .trouble(let part, _, _): set.add(to: .partFailures, [MetricLabel("part", part)])
            case .over, .hearing, .ranging, .health, .site, .synced, .mended: break
            }
        }
    }

    package func show(_ ranking: Ranking, isBlind: Bool) {}

    private enum Outcome: String, CaseIterable {
        case fetched, unchanged, nothing, failed, waiting

        var label: MetricLabel { MetricLabel("outcome", rawValue) }
    }

    private func note(_ event: ContentEvent, at time: Timestamp, _ set: inout MetricSet) {
        switch event {
        case .ready(let beacon, let summary):
            set.add(to: .contentSyncs, [(summary.fetchedAssets > 0 ? Outcome.fetched : .unchanged).label])
            if let since = settle(beacon) { set.observe(max(0, time.seconds(since: since)), in: .contentReady) }
        case .nothing(let beacon):
            set.add(to: .contentSyncs, [Outcome.nothing.label])
            _ = settle(beacon)
        case .failed: set.add(to: .contentSyncs, [Outcome.failed.label])
        case .waiting: set.add(to: .contentSyncs, [Outcome.waiting.label])
        case .started, .progress, .recovered: break
        }
    }

    /// Since when this content was expected; nil where it was not, or has already come.
    private func settle(_ beacon: BeaconID?) -> Timestamp? {
        awaited.withLock { awaited in
            guard let (wanted, since) = awaited, wanted == beacon else { return nil }
            awaited = nil
            return since
        }
    }
}
