import Console
import Listening
public import Logging
import Radio
import ServiceLifecycle
import SiteSettings
import UnixSignals

/// The daemon put together: sources → feed → ranging → content, each a service, ended in reverse order.
public struct Daemon: Sendable {
    private let configuration: DaemonConfiguration
    private let names: Names
    private let presenter: any Presenter
    private let logger: Logger

    public init(_ configuration: DaemonConfiguration, names: Names, presenter: any Presenter, logger: Logger) {
        self.configuration = configuration
        self.names = names
        self.presenter = presenter
        self.logger = logger
    }

    /// Runs until SIGINT or SIGTERM, or until all sources are over (captures, a finite emulation).
    ///
    /// Throws when the content store cannot be used.
    public func run() async throws {
        let board = HearingBoard(count: configuration.sources.count)
        let presenter = everybody(board)
        let content = try configuration.content.map {
            try ContentService(settings: $0, names: names, presenter: presenter, logger: logger)
        }
        let feed = SightingFeed()
        let adapters = AdapterWatch()
        let ranging = RangingService(
            feed: feed, board: board,
            settings: configuration.ranging.settings(for: configuration.sources.map(\.description)),
            interval: configuration.ranging.interval, presenter: presenter,
            nearest: { await content?.want($0) }, inRange: { await content?.inRange($0) })
        let listening = ListeningService(
            listeners: configuration.sources.enumerated().map { index, spec in
                SourceListener(
                    spec: spec, index: UInt16(truncatingIfNeeded: index), options: configuration.listening,
                    feed: feed, board: board, adapters: adapters, names: names, presenter: presenter)
            }
        ) { await content?.settle(within: .seconds(10)) }

        let upstream: [any Service] = (content.map { [$0] } ?? []) + [SyncSignal(content: content), ranging]
        // Its debug lines print whole services.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        var group = ServiceGroupConfiguration(
            services: upstream.map { .init(service: $0) }
                + [.init(service: listening, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigint, .sigterm], logger: quiet)
        // Less than systemd's TimeoutStopSec, so that an end in order comes before a kill.
        group.maximumGracefulShutdownDuration = .seconds(10)
        ServiceManager.ready()
        defer { ServiceManager.stopping() }
        try await ServiceGroup(configuration: group).run()
    }

    /// The presenter that was given, and systemd where it listens.
    private func everybody(_ board: HearingBoard) -> any Presenter {
        guard ServiceManager.isThere else { return presenter }
        return PresenterList(presenters: [presenter, SystemdPresenter(names: names, board: board)])
    }
}
