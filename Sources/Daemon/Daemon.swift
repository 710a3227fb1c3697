package import DaemonSettings
import Console
package import Events
import Listening
package import Logging
import Platform
package import PrometheusMetrics
import Radio
import ServiceLifecycle
import UnixSignals

/// Combines the daemon's parts: sources → feed → ranging → content and outputs. A reload can restart each of them.
package struct Daemon: Sendable {
    private let configuration: DaemonConfiguration
    private let file: String?
    private let hub: EventHub
    private let numbers: EventNumberFile?
    private let metrics: MetricRegistry
    private let logger: Logger
    private let load: @Sendable () async throws -> DaemonConfiguration

    /// - Parameters:
    ///   - configuration: the configuration to start with.
    ///   - file: the path of the configuration file, which is watched; nil for none.
    ///   - hub: receives all events.
    ///   - numbers: keeps event numbers rising over restarts.
    ///   - metrics: receives all measurements; shown at `/metrics`.
    ///   - load: reads the configuration again.
    package init(
        _ configuration: DaemonConfiguration, file: String?, hub: EventHub, numbers: EventNumberFile? = nil,
        metrics: MetricRegistry, logger: Logger, load: @escaping @Sendable () async throws -> DaemonConfiguration
    ) {
        self.configuration = configuration
        self.file = file
        self.hub = hub
        self.numbers = numbers
        self.metrics = metrics
        self.logger = logger
        self.load = load
    }

    /// Runs until SIGINT or SIGTERM, or until all sources have ended (captures, a finite emulation).
    ///
    /// - Throws: if the content store cannot be used.
    package func run() async throws {
        let core = DaemonCore(
            configuration, file: file, hub: hub, metrics: metrics, logger: logger, load: load)
        // Services end in the reverse order. The core ends before `SyncSignal`, which ends the syncs that the signal
        // requested.
        var services: [any Service] = [
            SyncSignal(currentContent: core.context.content), core, ReloadSignal { core.reload(.asked) },
        ]
        if let file {
            services.append(
                ConfigurationWatch(file: file, seen: configuration.fileIdentity) { core.reload(.fileChanged) })
        }
        defer { ServiceManager.stopping() }
        let keeping = keepNumbers()
        defer { keeping?.cancel() }
        // Less than systemd's TimeoutStopSec, so that the daemon shuts down in order before systemd kills it.
        try await ServiceGroup.run(services, endWithin: .seconds(12), logger: logger)
        // Two tasks that write the file at the same time would mix their digits.
        keeping?.cancel()
        await keeping?.value
        numbers?.finish(at: hub.lastID)
    }

    /// Checks regularly that enough numbers are reserved. Writing blocks, so it runs on a thread of its own.
    private func keepNumbers() -> Task<Void, Never>? {
        guard let numbers else { return nil }
        return Task { [hub] in
            while !Task.isCancelled {
                if numbers.mustReserve(beyond: hub.lastID) {
                    try? await OwnThread.run { numbers.reserve(beyond: hub.lastID) }
                }
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }
}
