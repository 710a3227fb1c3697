import Events
import History
import PrometheusMetrics
import Listening
import Logging
import Radio

/// What the parts of the daemon share for as long as it runs.
struct DaemonContext: Sendable {
    let hub: EventHub
    let feed = SightingFeed()
    let combined = CombinedHearing()
    let tallies = SourceCounters()
    let adapters = AdapterWatch()
    let content: CurrentContentService
    let relay: ContentRelay
    let broadcast = SightingBroadcast()
    let history = HistoryBuffer()
    let metrics: MetricRegistry
    let logger: Logger
    /// Asks for the configuration to be read anew.
    let reload: @Sendable () -> Void

    init(hub: EventHub, metrics: MetricRegistry, logger: Logger, reload: @escaping @Sendable () -> Void) {
        self.hub = hub
        self.metrics = metrics
        self.logger = logger
        self.reload = reload
        content = CurrentContentService()
        relay = ContentRelay(to: content)
    }
}
