import Beacon
import Content
import SiteFormat
import Testing

/// What is looked at or synced while its manifest changes is looked at again, and nothing else is.
struct OvertakenTests {
    let scope = ContentScope.beacon(hall)

    /// A list whose only manifest has this version.
    private func list(_ version: Int) throws -> StoredSite {
        let json = """
            {"format": 1, "revision": \(version), "beacons": [{"uuid": "\(hall.uuid)", "major": \(hall.major),
            "minor": \(hall.minor), "manifest": "v1/hall.json", "sha256": "\(SchedulerWorld.hash(of: "\(version)"))"}]}
            """
        return .list(try SiteList(json: Array(json.utf8)), SchedulerWorld.hash(of: "list \(version)"))
    }

    /// A scheduler that looks at the manifest under the first list.
    private func bench() throws -> SchedulerBench {
        var bench = try SchedulerBench()
        bench.start(try list(1))
        #expect(bench.looks == [scope])
        return bench
    }

    /// The schedule brings a list.
    private func bring(_ version: Int, to bench: inout SchedulerBench, at seconds: Double) throws {
        bench.make { $0.retryNow(at: SchedulerBench.time(seconds)) }
        #expect(bench.fetches == 1)
        bench.answerList(.success(try list(version)), at: seconds)
    }

    /// It is complete as the current list has it, so it is left alone.
    private func expectRest(_ bench: inout SchedulerBench, at seconds: Double) throws {
        bench.make { $0.looked(scope, isComplete: true, at: SchedulerBench.time(seconds)) }
        #expect(bench.looks.isEmpty && bench.syncs.isEmpty)
        bench.make { $0.inRange([hall], at: SchedulerBench.time(seconds + 1)) }
        #expect(bench.looks.isEmpty && bench.syncs.isEmpty)
    }

    @Test("a sync in advance that ends under another list is followed by a look under that one", arguments: [1, 2])
    func sync(version: Int) throws {
        var bench = try bench()
        bench.make { $0.looked(scope, isComplete: false, at: .zero) }
        #expect(bench.syncs == [.scope(scope)])
        try bring(version, to: &bench, at: 1)
        #expect(bench.looks.isEmpty && bench.syncs.isEmpty)
        bench.end(.scope(scope), at: 2)
        #expect(bench.looks == (version == 1 ? [] : [scope]), "only if the list has another version")
        try expectRest(&bench, at: 3)
    }

    @Test("a sync that began while there was no list is followed by a look under the one that came")
    func noList() throws {
        var bench = try SchedulerBench()
        bench.start(.none)
        bench.make { $0.inRange([hall], at: .zero) }
        let key = JobKey.beacon(hall)
        #expect(bench.syncs == [key])
        bench.make { $0.askForList(.job(key), at: .zero) }
        try bring(1, to: &bench, at: 61)
        #expect(bench.looks.isEmpty && bench.syncs.isEmpty)
        bench.end(key, at: 62)
        #expect(bench.looks == [scope])
        try expectRest(&bench, at: 63)
    }

    @Test("a look that ends under another list is followed by one under that list", arguments: [1, 2])
    func look(version: Int) throws {
        var bench = try bench()
        try bring(version, to: &bench, at: 1)
        #expect(bench.looks.isEmpty && bench.syncs.isEmpty)
        bench.make { $0.looked(scope, isComplete: true, at: .seconds(2)) }
        #expect(bench.looks == (version == 1 ? [] : [scope]))
        try expectRest(&bench, at: 3)
    }

    @Test("an outdated look that finds less than all is followed by a sync under the new list, and by no other look")
    func incomplete() throws {
        var bench = try bench()
        try bring(2, to: &bench, at: 1)
        bench.make { $0.looked(scope, isComplete: false, at: .seconds(2)) }
        #expect(bench.syncs == [.scope(scope)])
        bench.end(.scope(scope), at: 3)
        #expect(bench.looks.isEmpty && bench.syncs.isEmpty)
        try expectRest(&bench, at: 4)
    }

    @Test(
        "a beacon's sync counts as complete under the list that answered it, and under no later one",
        arguments: [true, false])
    func beacon(isAnsweredBefore: Bool) throws {
        var bench = try bench()
        bench.make { $0.looked(scope, isComplete: true, at: .zero) }
        let key = JobKey.beacon(hall)
        bench.want(hall)
        #expect(bench.syncs == [key])
        bench.make { $0.askForList(.job(key), at: .seconds(1)) }
        if isAnsweredBefore {
            bench.answerList(.success(try list(1)), at: 1)
            try bring(2, to: &bench, at: 2)
        } else {
            bench.answerList(.success(try list(2)), at: 2)
        }
        #expect(bench.looks.isEmpty && bench.syncs.isEmpty)
        bench.end(key, at: 3)
        #expect(bench.looks == (isAnsweredBefore ? [scope] : []))
        try expectRest(&bench, at: 4)
    }

    @Test("what a pass has synced under the list before is looked at when the pass has ended")
    func pass() throws {
        var bench = try bench()
        bench.make { $0.looked(scope, isComplete: true, at: .zero) }
        bench.make { $0.beginPass(accepting: [], at: .seconds(1)) }
        bench.run([scope], at: .seconds(1))
        #expect(bench.syncs == [.scope(scope)])
        try bring(2, to: &bench, at: 2)
        bench.end(.scope(scope), at: 3)
        #expect(bench.looks.isEmpty)
        let summary = try #require(bench.scheduler.summaryOfPass)
        bench.make { $0.endPass(.success(summary), at: .seconds(4)) }
        #expect(bench.looks == [scope])
        try expectRest(&bench, at: 5)
    }

    @Test("what is evicted or damaged before its sync has ended does not count as complete", arguments: [true, false])
    func gone(isEvicted: Bool) throws {
        var bench = try bench()
        bench.make { $0.looked(scope, isComplete: false, at: .zero) }
        if isEvicted {
            bench.make { $0.evicted([scope], at: .seconds(1)) }
        } else {
            bench.make { $0.damaged(at: .seconds(1)) }
        }
        #expect(bench.looks.isEmpty && bench.syncs.isEmpty)
        bench.end(.scope(scope), at: 2)
        #expect(bench.looks == [scope])
        try expectRest(&bench, at: 3)
    }
}
