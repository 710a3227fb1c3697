import Logging
import ServiceLifecycle
import UnixSignals

extension ServiceGroup {
    /// Runs services until SIGINT or SIGTERM, or until one of them is done. They are ended from the last to the first.
    ///
    /// - Parameter limit: how long that may take before what goes on is cancelled.
    static func run(_ services: [any Service], endWithin limit: Duration, logger: Logger) async throws {
        // Its debug lines print whole services.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigint, .sigterm], logger: quiet)
        configuration.maximumGracefulShutdownDuration = limit
        try await ServiceGroup(configuration: configuration).run()
    }
}
