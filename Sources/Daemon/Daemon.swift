import Console
package import Events
import Listening
package import Logging
import Platform
package import PrometheusMetrics
import Radio
import ServiceLifecycle
import UnixSignals

/// The daemon put together: sources → feed → ranging → content and outputs, each a part that a reload can begin anew.
package struct Daemon: Sendable {
    private let configuration: DaemonConfiguration
    private let file: String?
    private let hub: EventHub
    private let numbers: EventNumberFile?
    private let metrics: MetricRegistry
    private let logger: Logger
    private let load: @Sendable () async throws -> DaemonConfiguration

    /// - Parameters:
    ///   - configuration: what it begins with.
    ///   - file: the configuration's file, which is watched; nil for none.
    ///   - hub: takes all that happens.
    ///   - numbers: keeps its numbers rising over restarts.
    ///   - metrics: takes what is measured, and is offered at `/metrics`.
    ///   - load: reads the configuration anew.
    package init(
        _ configuration: DaemonConfiguration, file: String?, hub: EventHub, numbers: EventNumberFile? = nil,
        metrics: MetricRegistry,
        logger: Logger, load: @escaping @Sendable () async throws -> DaemonConfiguration
    ) {
        self.configuration = configuration
        self.file = file
        self.hub = hub
        self.numbers = numbers
        self.metrics = metrics
        self.logger = logger
        self.load = load
    }

    /// Runs until SIGINT or SIGTERM, or until all sources are over (captures, a finite emulation).
    ///
    /// Throws when the content store cannot be used.
    package func run() async throws {
        let core = DaemonCore(configuration, hub: hub, metrics: metrics, logger: logger, load: load)
        // The core is ended before the signal: a sync that it has asked for ends with the core.
        var services: [any Service] = [
            SyncSignal(currentContent: core.context.content), core, ReloadSignal { core.reload(.asked) },
        ]
        if let file { services.append(ConfigurationWatch(file: file) { core.reload(.fileChanged) }) }
        defer { ServiceManager.stopping() }
        let keeping = keepNumbers()
        defer { keeping?.cancel() }
        // Less than systemd's TimeoutStopSec, so that an end in order comes before a kill.
        try await ServiceGroup.run(services, endWithin: .seconds(12), logger: logger)
        numbers?.finish(at: hub.lastID)
    }

    /// Looks now and then whether enough numbers are reserved. Writing blocks, so it has a thread of its own.
    private func keepNumbers() -> Task<Void, Never>? {
        guard let numbers else { return nil }
        return Task { [hub] in
            while !Task.isCancelled {
                try? await OwnThread.run { numbers.reserve(beyond: hub.lastID) }
                try? await Task.sleep(for: .seconds(10))
            }
        }
    }
}
