package import Beacon
import Control
package import Fleet
import Logging
package import PrometheusMetrics
package import Settings

/// What a resolver shows over HTTP: rooms, scanners, events, history, metrics, and the page.
package struct FleetServer: Sendable {
    /// What the routes answer from.
    package struct Sources: Sendable {
        package var hub: FleetHub
        /// What people call beacons.
        package var names: KnownBeacons
        package var plans: PlanFolder
        /// The folder of the history; nil where none is kept.
        package var history: String?
        package var startedAt: Timestamp

        package init(
            hub: FleetHub, names: KnownBeacons = KnownBeacons(), plans: PlanFolder = PlanFolder(),
            history: String? = nil,
            startedAt: Timestamp
        ) {
            self.hub = hub
            self.names = names
            self.plans = plans
            self.history = history
            self.startedAt = startedAt
        }
    }

    private let service: ControlService

    /// - Parameters:
    ///   - settings: where to listen; only the TCP address counts.
    ///   - metrics: what `/metrics` shows.
    package init(_ sources: Sources, settings: ControlSettings, metrics: MetricRegistry) {
        metrics.add(sources.hub)
        let routes =
            FleetRoutes(sources).all + FleetEventRoutes(sources).all + FleetHistoryRoutes(sources).all
            + [.metrics(mediaType: PrometheusText.mediaType) { metrics.text }] + FleetPageRoutes(sources).all
        service = ControlService(
            ServerIdentity(
                name: "beacon-fleet", subject: "the resolver", hostRemedy: "add the name with --http-name",
                about: "Where the beacons of a fleet are, and how its scanners are.",
                token: "The content of the file that --http-token-file names."),
            routes: routes, schemas: FleetSchemas.all, settings: settings, refusalPage: FleetPageRoutes.refusalPage,
            logger: Logger(label: "beacon-fleet"))
    }

    /// Runs until it is cancelled.
    ///
    /// - Throws: `SocketError` if it cannot listen.
    package func run() async throws { try await service.run() }
}
