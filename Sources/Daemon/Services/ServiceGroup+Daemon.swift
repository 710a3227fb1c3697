import Logging
import ServiceLifecycle
import UnixSignals

extension ServiceGroup {
    /// Runs services until SIGINT or SIGTERM, or until one of them has ended. They end in the reverse order.
    ///
    /// - Parameter limit: how long the services may take to end before they are cancelled.
    static func run(_ services: [any Service], endWithin limit: Duration, logger: Logger) async throws {
        // The debug lines of a service group print whole services.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigint, .sigterm], logger: quiet)
        configuration.maximumGracefulShutdownDuration = limit
        try await ServiceGroup(configuration: configuration).run()
    }
}
