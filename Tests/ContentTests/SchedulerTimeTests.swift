import Beacon
import Content
import SiteFormat
import Testing

/// When the scheduler asks for what is wanted and for the list, to the instant, and how often it tells of it.
struct SchedulerTimeTests {
    let key = JobKey.beacon(hall)

    // MARK: - The wanted beacon

    @Test(
        "pauses double up to 5 s where it may end by itself, and to 5 min where only the owner can correct it",
        arguments: [
            (ContentError.Code.connection, [1.0, 2, 4, 5, 5]), (.unavailable, [1, 2, 4, 5, 5]),
            (.storage, [1, 2, 4, 5, 5]), (.diskFull, [1, 2, 4, 5, 5]),
            (.refused, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]),
        ])
    func pauses(code: ContentError.Code, pauses: [Double]) throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        var now = 0.0
        for pause in pauses {
            bench.end(key, SchedulerBench.error(code), at: now)
            #expect(bench.retryAfter == pause && bench.wakeAt == now + pause)
            bench.wake(at: now + pause - 0.001)
            #expect(bench.syncs.isEmpty)
            now += pause
            bench.wake(at: now)
            #expect(bench.syncs == [key] && bench.events.isEmpty)
        }
    }

    @Test("a failure is told once, another one again, and one that passes among those of the network is the same")
    func told() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        #expect(bench.events == ["started"])
        var told: [[String]] = []
        for (step, code) in [ContentError.Code.connection, .timeout, .refused, .refused, .format].enumerated() {
            bench.end(key, SchedulerBench.error(code), at: Double(step) * 100)
            told.append(bench.events)
            bench.wake(at: Double(step) * 100 + 99)
        }
        #expect(told == [["failed connection"], [], ["failed refused"], [], ["failed format"]])
        bench.end(key, at: 1000)
        #expect(bench.events == ["recovered", "ready"])
        bench.wake(at: 1299)
        #expect(bench.syncs.isEmpty)
        bench.wake(at: 1300)
        bench.end(key, at: 1301)
        #expect(bench.syncs.isEmpty && bench.events.isEmpty, "nothing is new")
    }

    @Test(
        "what is synced quietly is told where it has brought something", arguments: [(0, true), (1, true), (0, false)])
    func quiet(fetched: Int, unchanged: Bool) throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        bench.end(key, at: 0)
        #expect(bench.events == ["ready"] && bench.wakeAt == 300)
        bench.wake(at: 300)
        bench.end(key, fetched: fetched, unchanged: unchanged, at: 310)
        #expect(bench.events == (fetched == 0 && unchanged ? [] : ["ready"]) && bench.wakeAt == 610)
    }

    @Test(
        "a server that asks to be left alone is, to the instant, and no longer than 5 min",
        arguments: [(7.0, 7.0), (300, 300), (900, 300)])
    func retryAfter(asked: Double, pause: Double) throws {
        var bench = try SchedulerBench(random: 0)
        bench.want(hall)
        bench.end(key, SchedulerBench.error(.unavailable, retryAfter: asked), at: 10)
        #expect(bench.retryAfter == pause)
        let refusal = bench.scheduler.refusal(at: .seconds(10 + pause - 1))
        #expect(refusal?.code == .unavailable && refusal?.retryAfter == .seconds(1))
        #expect(refusal?.cause == "it fails; it asked to be left alone, for 1 s more")
        #expect(bench.scheduler.refusal(at: .seconds(10 + pause)) == nil)
        // What another asks meanwhile changes nothing; afterwards it does.
        bench.scheduler.noteFailure(SchedulerBench.error(.unavailable, retryAfter: 100), at: .seconds(10 + pause - 1))
        #expect(bench.scheduler.refusal(at: .seconds(10 + pause)) == nil)
        bench.scheduler.noteFailure(SchedulerBench.error(.refused, retryAfter: 100), at: .seconds(10 + pause))
        #expect(bench.scheduler.refusal(at: .seconds(10 + pause)) == nil, "that does not pass by waiting")
        bench.scheduler.noteFailure(SchedulerBench.error(.unavailable, retryAfter: 100), at: .seconds(10 + pause))
        #expect(bench.scheduler.refusal(at: .seconds(10 + pause + 99)) != nil)
    }

    @Test(
        "how long a server asked to be left alone is told in seconds up to two minutes, then in minutes, rounded up",
        arguments: [
            (0.001, "1 s"), (1, "1 s"), (1.001, "2 s"), (120, "120 s"), (120.001, "3 min"), (180, "3 min"),
            (180.001, "4 min"), (300, "5 min"),
        ])
    func leftAlone(seconds: Double, told: String) throws {
        var bench = try SchedulerBench(random: 0)
        bench.scheduler.noteFailure(SchedulerBench.error(.unavailable, retryAfter: 300), at: .zero)
        let refusal = bench.scheduler.pauseRefusal(at: SchedulerBench.time(300 - seconds))
        #expect(refusal?.cause == "it fails; it asked to be left alone, for \(told) more")
    }

    @Test("what is tried again because somebody asks, or because files were damaged, is not begun aloud")
    func again() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        bench.make { $0.retryNow(at: .seconds(1)) }
        #expect(bench.syncs.isEmpty, "it is under way")
        bench.end(key, SchedulerBench.error(.refused), at: 2)
        #expect(bench.events == ["failed refused"] && !bench.scheduler.isInOutage)
        bench.make { $0.retryNow(at: .seconds(2)) }
        #expect(bench.syncs == [key] && bench.events.isEmpty)
        bench.end(key, at: 3)
        bench.make { $0.retryNow(at: .seconds(4)) }
        #expect(bench.syncs.isEmpty, "nothing is wrong with it")
        bench.make { $0.damaged(at: .seconds(5)) }
        #expect(bench.syncs == [key] && bench.events.isEmpty)
    }

    @Test("a sync that began quietly is told when it is wanted anew, and only then")
    func aloud() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        bench.end(key, at: 0)
        bench.wake(at: 300)
        #expect(bench.syncs == [key] && bench.events.isEmpty)
        bench.make { $0.damaged(at: .seconds(301)) }
        #expect(bench.syncs.isEmpty && bench.events.isEmpty)
        bench.want(hall, at: 302)
        #expect(bench.syncs.isEmpty && bench.events == ["started"])
        bench.want(hall, at: 303)
        #expect(bench.events.isEmpty)
        bench.end(key, at: 304)
        #expect(bench.events == ["ready"])
    }

    @Test("a server that has answered is not out of reach, whatever fails afterwards")
    func reached() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        bench.make { $0.askForList(.job(key), at: .zero) }
        bench.answerList(.success(try SchedulerBench.list(1)), at: 0)
        bench.end(key, SchedulerBench.error(.timeout), at: 1)
        #expect(bench.events == ["failed timeout"] && !bench.scheduler.isInOutage)
    }

    @Test("a server that answers and then fails in one way or another is reported once, and again after a refusal")
    func failsInAnotherWay() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        var reported: [[String]] = []
        for (step, code) in [ContentError.Code.timeout, .unavailable, .refused, .slow].enumerated() {
            let now = Double(step) * 100
            bench.make { $0.askForList(.job(key), at: SchedulerBench.time(now)) }
            bench.answerList(.success(try SchedulerBench.list(1)), at: now)
            bench.end(key, SchedulerBench.error(code), at: now)
            reported.append(bench.events)
            bench.wake(at: now + 99)
            #expect(bench.syncs == [key])
        }
        #expect(reported == [["failed timeout"], [], ["failed refused"], ["failed slow"]])
        #expect(!bench.scheduler.isInOutage)
    }

    @Test("content that is too large for the disk is no outage while there is room for other content")
    func tooLargeForDisk() throws {
        var bench = try SchedulerBench()
        let (reserve, error) = (Int64(1 << 30), SchedulerBench.error(.diskFull))
        bench.want(hall)
        bench.end(key, error, space: .init(free: 2 * reserve, reserve: reserve), at: 0)
        #expect(bench.events == ["failed disk-full"] && !bench.scheduler.isFull && !bench.scheduler.isInOutage)
        bench.wake(at: 1)
        bench.end(key, error, space: .init(free: reserve, reserve: reserve), at: 1)
        #expect(bench.events.isEmpty && bench.scheduler.isFull && bench.scheduler.isInOutage)
    }

    @Test(
        "where the server is gone those that wait are given up, and where only one asset cannot be had they go on",
        arguments: [(ContentError.Code.connection, 0), (.timeout, 0), (.hash, 1), (.unavailable, 1)])
    func givenUp(code: ContentError.Code, next: Int) throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        let assets = (0..<6).map { SchedulerBench.asset($0) }
        bench.make { $0.needs(key, assets, at: .zero) }
        bench.make { $0.transferEnded(assets[0].sha256, SchedulerBench.error(code), at: .zero) }
        #expect(bench.actions.count { if case .download = $0 { true } else { false } } == next)
        #expect(bench.scheduler.holders(of: assets[5].sha256) == (next == 0 ? [] : [key]))
    }

    @Test("how often a sync failed is remembered of 4096 beacons besides", arguments: [(4096, 2.0), (4097, 1)])
    func manyTroubles(beacons: Int, pause: Double) throws {
        var bench = try SchedulerBench()
        for beacon in (0..<beacons).map(SchedulerBench.beacon) + [hall] {
            bench.want(beacon)
            bench.end(.beacon(beacon), SchedulerBench.error(.refused), at: 0)
            #expect(bench.retryAfter == 1)
        }
        bench.want(SchedulerBench.beacon(0))
        bench.end(.beacon(SchedulerBench.beacon(0)), SchedulerBench.error(.refused), at: 0)
        #expect(bench.retryAfter == pause)
    }

    @Test("progress is told at once, then every 100 ms, and whenever an asset is complete")
    func progress() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        let assets = [SchedulerBench.asset(1), SchedulerBench.asset(2, bytes: 500)]
        bench.make { $0.needs(key, assets, at: .seconds(1)) }
        #expect(bench.events == ["0/1500 0/2"])
        func received(_ bytes: Int64, _ milliseconds: Int) -> [String] {
            bench.make { $0.received(bytes, of: assets[0].sha256, at: .milliseconds(milliseconds)) }
            return bench.events
        }
        #expect(received(0, 1000) == [] && received(1, 1000) == ["1/1500 0/2"])
        #expect(received(20, 1099) == [] && received(30, 1100) == ["30/1500 0/2"] && received(40, 1150) == [])
        bench.make { $0.transferEnded(assets[0].sha256, at: .milliseconds(1151)) }
        #expect(bench.events == ["1000/1500 1/2"] && bench.status?.fetchedFiles == 1)
        bench.make { $0.transferEnded(assets[1].sha256, at: .milliseconds(1152)) }
        #expect(bench.events == ["1500/1500 2/2"] && bench.status?.fetchedFiles == 2)
    }

    @Test("progress is reported at once when a sync needs more assets")
    func moreAssets() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        let assets = [SchedulerBench.asset(1), SchedulerBench.asset(2)]
        bench.make { $0.needs(key, [assets[0]], at: .seconds(1)) }
        bench.make { $0.transferEnded(assets[0].sha256, at: .milliseconds(1001)) }
        #expect(bench.events == ["1000/1000 1/1"])
        bench.make { $0.needs(key, [assets[1]], at: .milliseconds(1002)) }
        #expect(bench.events == ["1000/2000 1/2"])
    }

    @Test("four are fetched at the same time, 96 files are open at most while they are flushed")
    func flushing() throws {
        var bench = try SchedulerBench()
        bench.want(hall)
        let assets = (0..<200).map { SchedulerBench.asset($0) }
        bench.make { $0.needs(key, assets, at: .zero) }
        var running = bench.downloads
        #expect(running == assets.prefix(4).map(\.sha256))
        for hash in running { #expect(bench.scheduler.holders(of: hash) == [key]) }
        var left = 0
        while left < running.count {
            bench.make { $0.leftNetwork(running[left], at: .zero) }
            running += bench.downloads
            left += 1
        }
        #expect(running.count == 96)
    }

    // MARK: - The list

    @Test(
        "the list is asked for every 5 min, up to a tenth sooner or later, and once a day where it is not scheduled",
        arguments: [(300.0, 0.0, 270.0), (300, 0.5, 300), (300, 1, 330), (nil, 0.5, 86_400)]
            as [(Double?, Double, Double)])
    func schedule(interval: Double?, random: Double, next: Double) throws {
        var bench = try SchedulerBench(random: random) {
            $0.syncInterval = interval.map { .seconds($0) }
            $0.prefetch = .off
        }
        bench.make { $0.start(at: .zero) }
        bench.make { $0.stored(Learned(), revision: 7, at: .seconds(1)) }
        #expect(bench.status?.revision == 7 && bench.fetches == 1)
        bench.answerList(.success(try SchedulerBench.list(1)), at: 2)
        #expect(bench.status?.revision == 1)
        #expect(bench.wakeAt.map { abs($0 - 2 - next) < 1e-6 } == true)
        bench.wake(at: 2 + next)
        #expect(bench.fetches == 1)
    }

    @Test(
        "a list that the network does not give is told of the second time, one that is refused at once, and each once",
        arguments: [
            (ContentError.Code.connection, [[], ["refused connection"], [], []]),
            (.format, [["refused format"], [], [], []]),
        ])
    func refusedList(code: ContentError.Code, told: [[String]]) throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.make { $0.start(at: .zero) }
        bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
        var now = 0.0
        for (step, expected) in told.enumerated() {
            bench.answerList(.failure(SchedulerBench.error(code)), at: now)
            #expect(bench.siteEvents == expected)
            #expect(bench.status?.problem?.contains("it fails") == true)
            let pause = [1.0, 2, 4, code == .format ? 8 : 5][step]
            #expect(bench.wakeAt == now + pause)
            now += pause
            bench.wake(at: now)
        }
        bench.answerList(.success(try SchedulerBench.list(1)), at: now)
        #expect(bench.siteEvents == ["recovered"] && bench.status?.problem == nil)
    }

    @Test("a list that was refused and then cannot be had is told of again; when it is had, pauses begin anew")
    func otherFailure() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.make { $0.start(at: .zero) }
        bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
        var told: [[String]] = []
        for (step, code) in [ContentError.Code.format, .connection, .connection].enumerated() {
            bench.answerList(.failure(SchedulerBench.error(code)), at: Double(step) * 100)
            told.append(bench.siteEvents)
            bench.wake(at: Double(step) * 100 + 50)
        }
        #expect(told == [["refused format"], ["refused connection"], []] && bench.scheduler.isInOutage)
        bench.answerList(.success(try SchedulerBench.list(1)), at: 300)
        #expect(!bench.scheduler.isInOutage)
        bench.wake(at: 900)
        bench.answerList(.failure(SchedulerBench.error(.connection)), at: 900)
        #expect(bench.wakeAt == 901 && bench.siteEvents.isEmpty)
    }

    @Test("an outage that a beacon's sync has told is not told again for the list")
    func outage() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.make { $0.start(at: .zero) }
        bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
        bench.want(hall)
        bench.end(key, SchedulerBench.error(.connection), at: 0)
        #expect(bench.events == ["failed connection"] && bench.scheduler.isInOutage)
        for step in 1...4 {
            bench.answerList(.failure(SchedulerBench.error(.connection)), at: Double(step) * 10)
            #expect(bench.siteEvents.isEmpty)
            bench.wake(at: Double(step) * 10 + 9)
        }
        // Another beacon learns that it lasts.
        bench.want(shop, at: 50)
        bench.end(.beacon(shop), SchedulerBench.error(.connection), at: 50)
        #expect(bench.events == ["waiting"])
    }

    @Test("a site without a list is not asked for it for a minute, unless somebody means what it removes")
    func absence() throws {
        var bench = try SchedulerBench()
        bench.make { $0.askForList(.pass, at: .zero) }
        bench.answerList(.success(.none), at: 1)
        func asked(_ seconds: Double, _ accepting: SiteAcceptance = []) -> Bool {
            var copy = bench
            copy.make { $0.askForList(.pass, accepting: accepting, at: .seconds(seconds)) }
            return copy.fetches == 1
        }
        #expect(!asked(1) && !asked(60.999) && asked(61) && asked(30, .removals))
    }

    @Test("all who ask at the same time share a request, but for who means what it removes")
    func shared() throws {
        var bench = try SchedulerBench()
        bench.make { $0.askForList(.job(key), at: .zero) }
        #expect(bench.fetches == 1)
        bench.make { $0.askForList(.pass, at: .zero) }
        #expect(bench.fetches == 0)
        bench.make { $0.askForList(.pass, accepting: .removals, at: .zero) }
        bench.make { $0.askForList(.pass, accepting: .revision, at: .zero) }
        bench.answerList(.success(try SchedulerBench.list(1)), at: 1)
        let answers = bench.actions.count { if case .answerList = $0 { true } else { false } }
        let accepted = bench.actions.compactMap { if case .fetchList(let accepting) = $0 { accepting } else { nil } }
        #expect(answers == 2 && accepted == [[.removals, .revision]])
    }

    @Test("another list is news, the same one is not")
    func changed() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.start(try SchedulerBench.list(1))
        #expect(bench.siteEvents.isEmpty, "the first of a run")
        for (hash, events) in [("list", []), ("other", ["changed 1"]), ("other", [])] {
            bench.make { $0.retryNow(at: .seconds(1)) }
            bench.answerList(.success(try SchedulerBench.list(1, hash: hash)), at: 1)
            #expect(bench.siteEvents == events)
        }
    }
}
