import Beacon
import Content
import Foundation
import Logging
import SiteFormat
import Synchronization
import TestSupport
import Testing

/// How long a sync that fails pauses.
@Suite(.timeLimit(.minutes(10)))
struct PolicyTests {
    @Test("a sync that fails pauses longer each time, by the clock it was given")
    func syncThatFails() async throws {
        let pauses = Mutex<[Duration]>([])
        let (seen, mark) = AsyncStream<Void>.makeStream()
        var time = ContentTime.system
        time.sleep = { duration in
            // The limits of whole requests do not come to their end here.
            if duration >= .seconds(60) { return try await Task.sleep(for: .seconds(3600)) }
            let count = pauses.withLock { pauses in
                pauses.append(duration)
                return pauses.count
            }
            if count == 12 {
                mark.finish()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        let folder = try temporaryFolder("store")
        var settings = try ContentSettings(baseURL: "http://127.0.0.1:\(try freePort())", directory: folder)
        settings.maximumRetryPause = .seconds(3)
        let sync = try ContentSync(
            settings: settings, store: try ContentStore(directory: folder), logger: Logger(label: "test"),
            time: time, random: { 1 })
        await sync.want(nil)
        for await _ in seen {}
        await sync.shutdown()
        let expected: [Duration] = [1, 2, 3, 3].flatMap { seconds in
            [.milliseconds(250), .milliseconds(500), .seconds(seconds)]
        }
        #expect(pauses.withLock { $0 } == expected)
    }
}
