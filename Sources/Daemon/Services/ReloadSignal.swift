import ServiceLifecycle
import UnixSignals

/// SIGHUP: reload the configuration.
struct ReloadSignal: Service {
    let reload: @Sendable () -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) { reload() }
        }
    }
}
