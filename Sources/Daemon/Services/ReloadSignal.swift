import ServiceLifecycle
import UnixSignals

/// SIGHUP: read the configuration anew.
struct ReloadSignal: Service {
    let core: DaemonCore

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) { core.reload(.asked) }
        }
    }
}
