import Content
import Glibc
import Logging

/// Syncs a whole site, with short pauses. Status 1 where something is missing afterwards.
func syncContent(from url: String, into folder: String) async throws {
    var settings = try ContentSettings(baseURL: url, directory: folder)
    settings.attemptPause = .milliseconds(5)
    settings.retryPause = .milliseconds(20)
    settings.maximumRetryPause = .milliseconds(200)
    settings.revalidationInterval = nil
    let sync = try ContentSync(
        settings: settings, store: ContentStore(directory: folder), logger: Logger(label: "test-helper"))
    let summary = try await sync.syncAll()
    await sync.shutdown()
    if !summary.isComplete { exit(1) }
}
