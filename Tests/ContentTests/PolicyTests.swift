import Beacon
import Content
import Foundation
import Logging
import SiteFormat
import Synchronization
import TestSupport
import Testing

/// What decides about pauses and order, without a network.
@Suite(.timeLimit(.minutes(1)))
struct PolicyTests {
    @Test("pauses double up to their bound, with full jitter")
    func pausesDouble() {
        let policy = RetryPolicy(pause: .seconds(1), maximum: .seconds(10), maximumRetryAfter: .seconds(60))
        let bounds = (1...6).map { policy.delay(failures: $0, retryAfter: nil, random: 1) }
        #expect(bounds == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10)])
        #expect(policy.delay(failures: 3, retryAfter: nil, random: 0) == .zero)
        #expect(policy.delay(failures: 3, retryAfter: nil, random: 0.5) == .seconds(2))
        #expect(policy.delay(failures: .max, retryAfter: nil, random: 1) == .seconds(10))
        #expect(policy.delay(failures: 1, retryAfter: .seconds(30), random: 1) == .seconds(30))
        #expect(policy.delay(failures: 1, retryAfter: .seconds(3600), random: 0) == .seconds(60))
        #expect(policy.delay(failures: 5, retryAfter: .seconds(1), random: 1) == .seconds(10))
    }

    @Test("Retry-After in seconds and as a date")
    func retryAfterInSeconds() {
        #expect(RetryAfter.duration("120", now: 0) == .seconds(120))
        #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_770) == .seconds(7))
        #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_790) == .zero)
        for text in [
            "", "-1", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "1 2 3 4 5 6",
        ] {
            #expect(RetryAfter.duration(text, now: 0) == nil)
        }
        #expect(RetryAfter.duration("9223372036854775807", now: 0) != nil)
    }

    @Test("wanted transfers go first, former ones one at a time")
    func wantedTransfers() throws {
        let hashes = (0..<6).compactMap { AssetHash(asset($0, bytes: 1).sha256) }
        var queue = TransferQueue(parallel: 2)
        hashes.forEach { queue.add($0) }
        queue.add(hashes[0])
        let rank: (AssetHash) -> Int = { hashes[3...].contains($0) ? 0 : 9 }
        #expect(queue.next(rank: rank) == hashes[3])
        #expect(queue.next(rank: rank) == hashes[4])
        #expect(queue.next(rank: rank) == hashes[0], "a former one beside them")
        #expect(queue.next(rank: rank) == nil)
        queue.finish(hashes[3])
        #expect(queue.next(rank: rank) == hashes[5])
        queue.finish(hashes[0])
        // The beacon changes: what ran for it is now in the way of no wanted one.
        #expect(queue.next(rank: { $0 == hashes[2] ? 0 : 9 }) == hashes[2])
        #expect(queue.waiting == [hashes[1]] && queue.running == [hashes[2], hashes[4], hashes[5]])
    }

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
