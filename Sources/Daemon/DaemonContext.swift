import Events
import History
import Instruments
import Listening
import Logging
import Radio

/// What the parts of the daemon share for as long as it runs.
struct DaemonContext: Sendable {
    let hub: EventHub
    let feed = SightingFeed()
    let board = HearingBoard()
    let tallies = TallyBoard()
    let adapters = AdapterWatch()
    let content: ContentDesk
    let relay: ContentRelay
    let tap = SightingTap()
    let history = HistoryDesk()
    let metrics: MetricRegistry
    let logger: Logger
    /// Asks for the configuration to be read anew.
    let reload: @Sendable () -> Void

    init(hub: EventHub, metrics: MetricRegistry, logger: Logger, reload: @escaping @Sendable () -> Void) {
        self.hub = hub
        self.metrics = metrics
        self.logger = logger
        self.reload = reload
        content = ContentDesk()
        relay = ContentRelay(to: content)
    }
}
