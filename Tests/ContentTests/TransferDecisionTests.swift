import Beacon
import Content
import SiteFormat
import TestSupport
import Testing

/// What decides about pauses, the order of transfers, and where visitors go next, without a network.
struct TransferDecisionTests {
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

    @Test("beside what is wanted, the first of several others with the same rank goes on")
    func firstOfEquals() {
        let hashes = (0..<4).map { SchedulerBench.asset($0).sha256 }
        var queue = TransferQueue(parallel: 1)
        for hash in hashes { queue.add(hash) }
        let started = (0..<3).map { _ in queue.next(rank: { hashes[..<2].contains($0) ? 0 : 5 }) }
        #expect(started == [hashes[0], hashes[2], nil])
    }

    // MARK: - The order in which the scheduler starts them

    @Test("assets of the wanted beacon start at once, though as many as may run are on their way for a former one")
    func wantedBesideFormer() throws {
        var bench = try SchedulerBench()
        let (former, wanted) = ((0..<6).map { SchedulerBench.asset($0) }, (10..<15).map { SchedulerBench.asset($0) })
        bench.want(hall)
        bench.make { $0.needs(.beacon(hall), former, at: .zero) }
        #expect(bench.downloads == former.prefix(4).map(\.sha256))
        bench.want(shop)
        #expect(bench.downloads.isEmpty)
        bench.make { $0.needs(.beacon(shop), wanted, at: .zero) }
        #expect(bench.downloads == wanted.prefix(4).map(\.sha256))
    }

    @Test("assets of a beacon in range go before the rest, also while no beacon is wanted")
    func inRangeBeforeRest() throws {
        var bench = try SchedulerBench()
        bench.start(try SchedulerBench.list(3))
        let rest = ContentScope.beacon(SchedulerBench.beacon(0))
        let near = ContentScope.beacon(SchedulerBench.beacon(2))
        let assets = (0..<6).map { SchedulerBench.asset($0) }
        bench.make { $0.looked(rest, isComplete: false, at: .zero) }
        bench.make { $0.needs(.scope(rest), Array(assets.prefix(5)), at: .zero) }
        #expect(bench.downloads.count == 4)
        bench.make { $0.inRange([SchedulerBench.beacon(2)], at: .zero) }
        bench.make { $0.looked(near, isComplete: false, at: .zero) }
        bench.make { $0.needs(.scope(near), [assets[5]], at: .zero) }
        #expect(bench.downloads.isEmpty)
        bench.make { $0.transferEnded(assets[0].sha256, at: .zero) }
        #expect(bench.downloads == [assets[5].sha256])
    }

    @Test("assets that wait for a beacon go first as soon as it is in range")
    func intoRange() throws {
        var bench = try SchedulerBench { $0.parallelTransfers = 1 }
        let assets = (0..<5).map { SchedulerBench.asset($0) }
        for (beacon, needed, started) in [(hall, [0, 1], 0), (attic, [2, 3], 2), (shop, [4], 4)] {
            bench.want(beacon)
            bench.make { $0.needs(.beacon(beacon), needed.map { assets[$0] }, at: .zero) }
            #expect(bench.downloads == [assets[started].sha256])
        }
        bench.make { $0.inRange([attic], at: .zero) }
        bench.make { $0.transferEnded(assets[0].sha256, at: .zero) }
        #expect(bench.downloads.isEmpty)
        bench.make { $0.transferEnded(assets[2].sha256, at: .zero) }
        #expect(bench.downloads == [assets[3].sha256])
    }

    @Test("what a beacon needed waits for its turn when another is wanted that shares its manifest")
    func sharedManifest() throws {
        var bench = try SchedulerBench {
            $0.parallelTransfers = 1
            $0.prefetch = .off
        }
        let entry = SiteList.Entry(
            manifest: try #require(ManifestPath("v1/a.json")), sha256: SchedulerWorld.hash(of: "manifest"))
        let entries = [ContentScope.beacon(attic): entry, .major(hall.uuid, hall.major): entry]
        bench.start(.list(SiteList(revision: 1, entries: entries), SchedulerWorld.hash(of: "list")))
        let assets = (0..<4).map { SchedulerBench.asset($0) }
        for (beacon, needed) in [(attic, [0, 1]), (hall, [2, 3])] {
            bench.want(beacon)
            bench.make { $0.needs(.beacon(beacon), needed.map { assets[$0] }, at: .zero) }
        }
        bench.want(shop)
        bench.make { $0.transferEnded(assets[0].sha256, at: .zero) }
        bench.make { $0.transferEnded(assets[2].sha256, at: .zero) }
        #expect(bench.downloads == [assets[1].sha256], "in the order in which they were needed")
    }

    @Test("while no beacon is wanted or in range, assets start in the order in which they were needed")
    func inOrder() throws {
        var bench = try SchedulerBench()
        bench.make { $0.beginPass(accepting: [], at: .zero) }
        bench.make { $0.askForList(.pass, at: .zero) }
        bench.answerList(.success(.none), at: 0)
        bench.run([.uuid(hall.uuid), .beacon(hall)])
        let assets = (0..<6).map { SchedulerBench.asset($0) }
        bench.make { $0.needs(.scope(.uuid(hall.uuid)), Array(assets.prefix(5)), at: .zero) }
        bench.make { $0.needs(.beacon(hall), [assets[5]], at: .zero) }
        for ended in 0..<2 {
            bench.make { $0.transferEnded(assets[ended].sha256, at: .zero) }
            #expect(bench.downloads == [assets[ended + 4].sha256])
        }
    }

    // MARK: - Where visitors go

    @Test("transitions fade and stay bounded")
    func transitionsFade() {
        let (start, left, right) = (ContentScope.beacon(hall), ContentScope.beacon(shop), ContentScope.beacon(attic))
        var transitions = Transitions()
        for _ in 0..<4 { transitions.record(from: start, to: left, at: 0) }
        transitions.record(from: start, to: right, at: 10)
        #expect(transitions.likely(after: start, limit: 2) == [left, right])
        for _ in 0..<2 { transitions.record(from: start, to: right, at: 10 + 2 * Transitions.halfLife) }
        #expect(transitions.likely(after: start, limit: 1) == [right])
        for minor in 0..<5000 {
            let other = ContentScope.major(ProximityUUID(7), UInt16(minor))
            transitions.record(from: other, to: start, at: Double(minor))
            transitions.record(from: start, to: other, at: 1e9)
        }
        #expect(transitions.origins.count <= Transitions.maximumOrigins)
        #expect(transitions.likely(after: start, limit: 100).count <= Transitions.maximumTargets)
    }
}
