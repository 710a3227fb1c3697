import Beacon
import Content
import Foundation
import Logging
import TestSupport

/// A store with a sync client for one test.
struct Bench {
    let store: ContentStore
    let sync: ContentSync
    let log: EventLog

    /// - Parameters:
    ///   - time: the clocks of the sync client.
    ///   - adjust: changes the settings, which have short pauses already, and long time-outs: a busy machine may answer
    ///     late.
    init(
        _ baseURL: String, directory: String? = nil, token: String? = nil, time: ContentTime = .system,
        adjust: (inout ContentSettings) -> Void = { _ in }
    ) throws {
        let directory = try directory ?? temporaryFolder("store")
        var settings = try ContentSettings(baseURL: baseURL, directory: directory, token: token)
        settings.attemptPause = .milliseconds(5)
        settings.retryPause = .milliseconds(20)
        settings.maximumRetryPause = .milliseconds(200)
        settings.revalidationInterval = nil
        settings.connectTimeout = .seconds(120)
        settings.idleTimeout = .seconds(120)
        settings.documentTimeout = .seconds(300)
        settings.throughputWindow = .seconds(300)
        adjust(&settings)
        store = try ContentStore(directory: directory)
        sync = try ContentSync(settings: settings, store: store, logger: Logger(label: "test"), time: time)
        log = EventLog(sync.events)
    }

    /// Every stored asset of the beacon's content with its bytes, by hash.
    func files(_ beacon: BeaconID?) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in store.content(for: beacon)?.files ?? [] {
            files[URL(fileURLWithPath: path).lastPathComponent] = Array(
                try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        return files
    }

    /// Names in the folder for unfinished downloads.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(store.directory)/tmp")
    }

    /// Waits until nothing is left in it: the next try, soon after a failure, has files in it for moments.
    func waitForNoLeftovers() async throws {
        try await waitUntil("no unfinished file is left") { try leftovers().isEmpty }
    }
}
