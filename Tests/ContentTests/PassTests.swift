import Beacon
import Content
import SiteFormat
import Testing

/// What a sync of the whole site does and tells, and how the status tells what is wrong.
struct PassTests {
    // MARK: - The whole site

    /// A pass over so many manifests, whose syncs end with these results.
    private func pass(
        _ count: Int, parallel: Int = 1, _ codes: [ContentError.Code?]
    ) throws -> (summary: SyncSummary, isEnded: Bool) {
        var bench = try SchedulerBench {
            $0.parallelManifests = parallel
            $0.prefetch = .off
        }
        bench.start(try SchedulerBench.list(count))
        bench.make { $0.beginPass(accepting: [], at: .zero) }
        bench.run((0..<count).map { .beacon(SchedulerBench.beacon($0)) })
        var isEnded = false
        var running = bench.syncs
        #expect(running.count == min(parallel, count))
        for code in codes {
            guard !running.isEmpty else { break }
            let next = running.removeFirst()
            if let code { bench.end(next, SchedulerBench.error(code), at: 1) } else { bench.end(next, at: 1) }
            running += bench.syncs
            #expect(running.count <= parallel)
            isEnded = isEnded || bench.actions.contains { if case .passEnded = $0 { true } else { false } }
        }
        return (try #require(bench.scheduler.summaryOfPass), isEnded)
    }

    @Test("a pass gives up when the server has failed five times in a row, and goes on before that")
    func givesUp() throws {
        let five = try pass(9, Array(repeating: .connection, count: 9))
        #expect(five.summary.failed.count == 5 && five.summary.untried == 4 && five.isEnded)
        let outage = [ContentError.Code?](repeating: .connection, count: 4)
        let four = try pass(11, outage + [nil] + outage + [nil, nil])
        #expect(four.summary.failed.count == 8 && four.summary.untried == 0 && four.summary.unchanged == 3)
        #expect(four.isEnded)
        // What only one manifest has does not count, nor what is slow.
        for code in [ContentError.Code.refused, .slow] {
            let all = try pass(9, Array(repeating: code, count: 9))
            #expect(all.summary.failed.count == 9 && all.summary.untried == 0)
            let between = try pass(11, outage + [code] + outage + [nil, nil])
            #expect(between.summary.failed.count == 9 && between.summary.untried == 0)
        }
        for code in [ContentError.Code.diskFull, .cancelled] {
            let one = try pass(9, [nil, code])
            #expect(one.summary.failed.count == 1 && one.summary.untried == 7 && one.isEnded)
        }
    }

    @Test("as many manifests of a pass are synced at the same time as may be", arguments: [1, 2, 5])
    func parallelPass(parallel: Int) throws {
        let (summary, isEnded) = try pass(4, parallel: parallel, [nil, nil, nil, nil])
        #expect(summary.unchanged == 4 && summary.isComplete && isEnded)
    }

    @Test("a pass tells what it has brought, by kind")
    func kinds() throws {
        var bench = try SchedulerBench {
            $0.parallelManifests = 9
            $0.prefetch = .off
        }
        bench.start(try SchedulerBench.list(5))
        bench.make { $0.beginPass(accepting: [], at: .zero) }
        let scopes = (0..<5).map { ContentScope.beacon(SchedulerBench.beacon($0)) }
        bench.run(scopes)
        bench.end(.scope(scopes[0]), unchanged: false, isNew: true, at: 1)
        bench.end(.scope(scopes[1]), unchanged: false, at: 1)
        bench.end(.scope(scopes[2]), fetched: 1, unchanged: true, at: 1)
        bench.end(.scope(scopes[3]), unchanged: true, at: 1)
        bench.make { $0.ended(.scope(scopes[4]), .success(.nothing), at: .seconds(1)) }
        let summary = try #require(bench.scheduler.summaryOfPass)
        #expect(summary.new == [scopes[0]] && summary.updated == [scopes[1], scopes[2]])
        #expect(summary.unchanged == 1 && summary.deleted == [scopes[4]])
        #expect(bench.passProgress.last?.manifests == 5)
    }

    @Test("a pass tells how far it is every 100 ms, and never more bytes than there are to fetch")
    func passProgress() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.start(try SchedulerBench.list(1))
        bench.make { $0.beginPass(accepting: [], at: .zero) }
        var work = SitePass()
        work.progress.totalManifests = 1
        work.waiting = [.beacon(SchedulerBench.beacon(0))]
        bench.make { $0.run(work, at: .zero) }
        let key = JobKey.scope(.beacon(SchedulerBench.beacon(0)))
        let assets = [SchedulerBench.asset(1), SchedulerBench.asset(2), SchedulerBench.asset(1)]
        bench.make { $0.needs(key, Array(assets.prefix(2)), at: .zero) }
        bench.make { $0.needs(key, assets, at: .zero) }
        func received(_ bytes: Int64, _ milliseconds: Int) -> [Int64] {
            bench.make { $0.received(bytes, of: assets[0].sha256, at: .milliseconds(milliseconds)) }
            return bench.passProgress.map(\.bytes)
        }
        #expect(received(10, 1000) == [10] && received(20, 1099) == [] && received(30, 1100) == [30])
        #expect(bench.passProgress.last?.totalBytes == 2000 && bench.passProgress.last?.totalAssets == 2)
        #expect(received(5000, 1300) == [2000])
        bench.make { $0.transferEnded(assets[0].sha256, at: .seconds(2)) }
        let last = try #require(bench.passProgress.last)
        #expect(last.bytes == 1000 && last.assets == 1 && bench.scheduler.summaryOfPass?.fetchedAssets == 1)
    }

    @Test("a pass that has removed what is not needed leaves nothing to remove for the schedule")
    func pruned() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.start(try SchedulerBench.list(1))
        #expect(!bench.scheduler.hasPruned)
        bench.scheduler.notePruned()
        #expect(bench.scheduler.hasPruned)
    }

    @Test("what failed in a pass is tried again as soon as what the schedule does")
    func passFailed() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.start(try SchedulerBench.list(1))
        bench.make { $0.beginPass(accepting: [], at: .seconds(10)) }
        bench.make { $0.endPass(.failure(SchedulerBench.error(.connection)), at: .seconds(20)) }
        #expect(bench.wakeAt == 21)
        bench.make { $0.beginPass(accepting: [], at: .seconds(20)) }
        bench.make { $0.endPass(.failure(SchedulerBench.error(.connection)), at: .seconds(20.5)) }
        #expect(bench.wakeAt == nil, "that is sooner than a second from now")
    }

    @Test("a pass that somebody has asked for does not wait until the server wants to be asked again, but once")
    func pause() throws {
        var bench = try SchedulerBench(random: 0) { $0.prefetch = .off }
        bench.start(try SchedulerBench.list(1))
        let error = SchedulerBench.error(.unavailable, retryAfter: 200)
        bench.scheduler.noteFailure(error, at: .seconds(10))
        #expect(bench.scheduler.refusal(at: .seconds(11))?.cause.hasSuffix("for 4 min more") == true)
        bench.make { $0.beginPass(accepting: [], at: .seconds(12)) }
        #expect(bench.scheduler.refusal(at: .seconds(12)) == nil)
        bench.scheduler.noteFailure(error, at: .seconds(13))
        #expect(bench.scheduler.refusal(at: .seconds(14)) != nil)
    }

    @Test("after a pass, what it has synced is not looked at again in advance, and what it could not sync is")
    func lookedAtAfterwards() throws {
        var bench = try SchedulerBench()
        bench.start(try SchedulerBench.list(2))
        let scopes = (0..<2).map { ContentScope.beacon(SchedulerBench.beacon($0)) }
        #expect(bench.looks == scopes)
        for scope in scopes { bench.make { $0.looked(scope, isComplete: false, at: .zero) } }
        // Both fail while the pass begins.
        bench.make { $0.beginPass(accepting: [], at: .seconds(1)) }
        for scope in scopes { bench.end(.scope(scope), SchedulerBench.error(.refused), at: 1) }
        bench.run(scopes, at: .seconds(3))
        #expect(bench.syncs == scopes.map { .scope($0) })
        bench.end(.scope(scopes[0]), SchedulerBench.error(.refused), at: 3)
        bench.end(.scope(scopes[1]), at: 3)
        let summary = try #require(bench.scheduler.summaryOfPass)
        bench.make { $0.endPass(.success(summary), at: .seconds(4)) }
        #expect(bench.looks == [scopes[0]])
    }

    // MARK: - A site without a list

    /// A pass over these manifests begins; nothing is known of a list.
    private func begin(_ scopes: [ContentScope], in bench: inout SchedulerBench, at now: Duration) {
        bench.make { $0.beginPass(accepting: [], at: now) }
        bench.run(scopes, at: now)
    }

    @Test("without a list, a pass syncs content with the job of its beacon, and silently until it is wanted")
    func jobsWithoutList() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        bench.end(.beacon(hall), at: 0)
        begin([.uncategorized, .uuid(hall.uuid), .beacon(shop), .beacon(hall)], in: &bench, at: .seconds(1))
        let keys: [JobKey] = [.beacon(nil), .scope(.uuid(hall.uuid)), .beacon(shop), .beacon(hall)]
        #expect(bench.syncs == keys)
        func areSilent() -> [Bool] { keys.map { bench.scheduler.isSilent($0) } }
        #expect(areSilent() == [true, true, true, false])
        bench.want(shop, at: 2)
        #expect(bench.events == ["started"] && areSilent() == [true, true, false, false])
        bench.end(.scope(.uuid(hall.uuid)), at: 3)
        #expect(areSilent() == [true, false, false, false], "it has ended")
    }

    @Test("without a list, a pass reports wanted content again only if it has fetched something")
    func wantedInPass() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        bench.end(.beacon(hall), at: 0)
        #expect(bench.events == ["ready"])
        for (fetched, events) in [(0, []), (1, ["ready"])] as [(Int, [String])] {
            begin([.beacon(hall)], in: &bench, at: .seconds(1))
            #expect(bench.syncs == [.beacon(hall)] && bench.events.isEmpty)
            bench.end(.beacon(hall), fetched: fetched, at: 1)
            #expect(bench.events == events)
        }
    }

    @Test("without a list, content that has failed and was then synced by a pass begins with the shortest pause again")
    func failsAnew() throws {
        var bench = try SchedulerBench()
        for pause in [1.0, 2] {
            bench.want(hall)
            bench.end(.beacon(hall), SchedulerBench.error(.refused), at: 0)
            #expect(bench.retryAfter == pause)
        }
        bench.want(shop)
        begin([.beacon(hall)], in: &bench, at: .zero)
        bench.end(.beacon(hall), at: 0)
        #expect(bench.events.isEmpty, "it is not wanted now")
        bench.want(hall)
        bench.end(.beacon(hall), SchedulerBench.error(.refused), at: 0)
        #expect(bench.retryAfter == 1 && bench.events.isEmpty, "this failure was reported before")
    }

    // MARK: - What is wrong

    @Test("the status tells whether the site has answered: a stored revision or a failure is no answer")
    func hasAnswered() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.make { $0.start(at: .zero) }
        bench.make { $0.stored(Learned(), revision: 3, at: .zero) }
        #expect(bench.status?.revision == 3 && bench.status?.hasAnswered == false)
        bench.answerList(.failure(SchedulerBench.error(.connection)), at: 0)
        #expect(bench.status?.problem != nil && bench.status?.hasAnswered == false)
        bench.wake(at: try #require(bench.wakeAt))
        bench.answerList(.success(.none), at: 5)
        #expect(bench.status?.revision == nil && bench.status?.hasAnswered == true)
    }

    @Test("the status tells what is wrong in one line: the list first, then the first content, and how many more")
    func problem() throws {
        var bench = try SchedulerBench { $0.parallelManifests = 9 }
        bench.start(try SchedulerBench.list(3))
        let scopes = (0..<3).map { ContentScope.beacon(SchedulerBench.beacon($0)) }
        for scope in scopes { bench.make { $0.looked(scope, isComplete: false, at: .zero) } }
        bench.end(.scope(scopes[2]), SchedulerBench.error(.refused), at: 0)
        #expect(bench.status?.problem?.hasPrefix("\(scopes[2]): ") == true)
        bench.end(.scope(scopes[1]), SchedulerBench.error(.refused), at: 0)
        #expect(bench.status?.problem?.hasPrefix("\(scopes[1]) (and 1 others): ") == true)
        bench.end(.scope(scopes[0]), SchedulerBench.error(.cancelled), at: 0)
        #expect(bench.status?.problem?.hasPrefix("\(scopes[1]) (and 1 others): ") == true)
        bench.make { $0.askForList(.pass, at: .zero) }
        bench.answerList(.failure(SchedulerBench.error(.format)), at: 0)
        #expect(bench.status?.problem?.hasPrefix("there") == true)
        // One that was given up says nothing.
        bench.make { $0.askForList(.pass, at: .zero) }
        bench.answerList(.failure(SchedulerBench.error(.cancelled)), at: 0)
        #expect(bench.status?.problem?.hasPrefix("there") == true)
        bench.make { $0.askForList(.pass, at: .zero) }
        bench.answerList(.success(try SchedulerBench.list(3, hash: "other")), at: 0)
        #expect(bench.status?.problem == nil, "with another list all is tried anew")
    }

    @Test("a missing manifest is removed after the interval, or at once where that is meant")
    func isGone() throws {
        func isGone(_ accepting: SiteAcceptance, _ seconds: Double, interval: Double? = 300) throws -> Bool {
            var bench = try SchedulerBench { $0.syncInterval = interval.map { .seconds($0) } }
            bench.make { $0.beginPass(accepting: accepting, at: .zero) }
            let first = bench.scheduler.isGone(.beacon(hall), at: .zero)
            bench.scheduler.found(.beacon(shop), at: .seconds(1))
            let second = bench.scheduler.isGone(.beacon(hall), at: .seconds(seconds))
            #expect(first == accepting.contains(.removals))
            return second
        }
        #expect(try isGone([], 300) && !isGone([], 299.9) && isGone(.removals, 1) && !isGone(.revision, 1))
        #expect(try isGone([], 300, interval: nil) && !isGone([], 299.9, interval: nil) && isGone([], 60, interval: 60))
    }
}
