import Broker
import DeviceReports
import Events
import History
import Hooks
import PrometheusMetrics
import Listening
import Logging
import Radio

/// What the daemon's parts share for its lifetime.
struct DaemonContext: Sendable {
    let hub: EventHub
    let feed = SightingFeed()
    let combined = CombinedHearing()
    let tallies = SourceCounters()
    let adapters = AdapterWatch()
    let hookProgress = HookProgress()
    let content: CurrentContentService
    let relay: ContentRelay
    let broadcast = SightingBroadcast()
    let history = HistoryBuffer()
    let reports = ReportObserver()
    /// Carries publications from the reports to the connection to the broker.
    let reportRelay = PublicationRelay()
    /// The levels that this scanner publishes for a fleet.
    let levelMailbox = PublicationMailbox()
    let levels: FleetLevels
    /// The sightings that the health of beacons is judged from.
    let health = HealthFeed()
    let metrics: MetricRegistry
    let logger: Logger
    /// Requests a reload of the configuration.
    let reload: @Sendable () -> Void

    init(hub: EventHub, metrics: MetricRegistry, logger: Logger, reload: @escaping @Sendable () -> Void) {
        self.hub = hub
        self.metrics = metrics
        self.logger = logger
        self.reload = reload
        content = CurrentContentService()
        levels = FleetLevels(levelMailbox)
        relay = ContentRelay(to: content)
    }
}
