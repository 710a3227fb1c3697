import ServiceLifecycle
import UnixSignals

/// SIGUSR1: sync the whole site now. Without a site, the signal is received and ignored, so that it never ends the
/// daemon.
struct SyncSignal: Service {
    let currentContent: CurrentContentService

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sigusr1) {
                // An error is reported as an event.
                _ = try? await currentContent.service?.syncAll()
            }
        }
    }
}
