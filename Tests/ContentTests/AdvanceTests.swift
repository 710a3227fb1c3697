import Beacon
import Content
import SiteFormat
import Testing

/// What the scheduler fetches before anybody wants it, in which order, and what it does without room.
struct AdvanceTests {
    let key = JobKey.beacon(hall)

    // MARK: - In advance

    @Test("what comes in advance is in the order of ranks: in range, likely, pinned, other beacons, the rest")
    func ranks() throws {
        var bench = try SchedulerBench {
            $0.pinned = [SchedulerBench.beacon(3)]
            $0.prefetch = .off
        }
        bench.start(try SchedulerBench.list(100))
        for _ in 0..<2 { for minor in [0, 1] { bench.want(SchedulerBench.beacon(minor)) } }
        // The wanted beacon is in range as well, but beyond the 64 that count.
        let heard = (1...65).map { SchedulerBench.beacon($0 + 10) } + [SchedulerBench.beacon(1)]
        bench.make { $0.inRange(heard, at: .zero) }
        func rank(_ minor: Int) -> Int { bench.scheduler.rank(of: .scope(.beacon(SchedulerBench.beacon(minor)))) }
        #expect([1, 11, 12, 74, 75, 0, 3, 99].map(rank) == [0, 1, 2, 64, 1000, 100, 200, 1000])
        #expect(bench.scheduler.rank(of: .beacon(SchedulerBench.beacon(1))) == 0)
        #expect(bench.scheduler.rank(of: .beacon(hall)) == 500)
        // The rest of the site drives nothing out, and what counts stays where others need room.
        #expect(bench.scheduler.protected(from: .scope(.beacon(SchedulerBench.beacon(99)))) == nil)
        let kept = try #require(bench.scheduler.protected(from: .beacon(hall)))
        #expect(kept.count == 67 && kept.contains(.beacon(SchedulerBench.beacon(3))))
    }

    @Test("what is only in range makes room for the nearest, the likely next and the pinned, but not for each other")
    func roomInRange() throws {
        var bench = try SchedulerBench {
            $0.pinned = [SchedulerBench.beacon(3)]
            $0.prefetch = .off
        }
        bench.start(try SchedulerBench.list(20))
        for minor in [1, 2, 1] { bench.want(SchedulerBench.beacon(minor)) }
        bench.make { $0.inRange([4, 5, 3].map(SchedulerBench.beacon), at: .zero) }
        func scope(_ minor: Int) -> ContentScope { .beacon(SchedulerBench.beacon(minor)) }
        let kept = Set([1, 2, 3].map(scope))
        #expect(bench.scheduler.protected(from: .beacon(SchedulerBench.beacon(1))) == kept)
        for minor in [2, 3] { #expect(bench.scheduler.protected(from: .scope(scope(minor))) == kept) }
        for minor in [4, 5] {
            #expect(bench.scheduler.protected(from: .scope(scope(minor))) == kept.union([4, 5].map(scope)))
        }
        let needed = bench.scheduler.lastNeeded()
        let order = [1, 5, 4].compactMap { needed[scope($0)] }
        #expect(order.count == 3 && order == order.sorted(), "the nearest goes last")
    }

    @Test("who walks from one beacon to another within ten minutes is expected to do so again", arguments: [599.9, 600])
    func walk(seconds: Double) throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.start(try SchedulerBench.list(3))
        bench.want(SchedulerBench.beacon(0), at: 1000)
        bench.want(nil, at: 1000 + seconds / 2)
        bench.want(SchedulerBench.beacon(1), at: 1000 + seconds)
        bench.want(SchedulerBench.beacon(0), at: 5000)
        #expect(bench.scheduler.rank(of: .scope(.beacon(SchedulerBench.beacon(1)))) == (seconds < 600 ? 100 : 1000))
    }

    @Test("the four likeliest are expected, in their order")
    func likely() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.start(try SchedulerBench.list(9))
        for (minor, visits) in [(1, 2), (2, 5), (3, 1), (4, 4), (5, 3)] {
            for _ in 0..<visits { for next in [0, minor] { bench.want(SchedulerBench.beacon(next)) } }
        }
        bench.want(SchedulerBench.beacon(0))
        let ranks = (1...5).map { bench.scheduler.rank(of: .scope(.beacon(SchedulerBench.beacon($0)))) }
        #expect(ranks == [103, 100, 1000, 101, 102])
    }

    /// A list with these manifests, all the same.
    private static func list(_ scopes: [ContentScope]) throws -> StoredSite {
        let hash = SchedulerWorld.hash(of: "manifest")
        let entry = SiteList.Entry(manifest: try #require(ManifestPath("v1/a.json")), sha256: hash)
        let entries = Dictionary(uniqueKeysWithValues: scopes.map { ($0, entry) })
        return .list(SiteList(revision: 1, entries: entries), SchedulerWorld.hash(of: "\(scopes)"))
    }

    private static func room(_ number: UInt16) -> ContentScope { .major(hall.uuid, number) }

    private static func beacon(room: UInt16, _ minor: UInt16) -> BeaconID {
        BeaconID(uuid: hall.uuid, major: room, minor: minor)
    }

    @Test("where the beacons of a room share a manifest, the way from room to room is learned")
    func rooms() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.start(try Self.list([1, 2, 3].map(Self.room) + [.uncategorized]))
        // Within a room nobody goes anywhere, and what the list does not have is nowhere.
        for place in [(1, 1), (1, 2), nil, (9, 1), (2, 5), (2, 6), (1, 7)] as [(UInt16, UInt16)?] {
            bench.want(place.map { Self.beacon(room: $0, $1) })
        }
        #expect([2, 1, 3].map { bench.scheduler.rank(of: .scope(Self.room($0))) } == [100, 0, 1000])
        // A stranger's beacon is nearer now; the visitor is where they were.
        bench.want(Self.beacon(room: 9, 1))
        #expect(bench.scheduler.rank(of: .scope(Self.room(2))) == 100)
    }

    @Test("ways that were learned without the list count for the manifests that it has, and so does where somebody is")
    func roomsWithoutList() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
        for place in [(1, 1), (1, 2), (2, 5), (9, 1), (1, 7)] as [(UInt16, UInt16)] {
            bench.want(Self.beacon(room: place.0, place.1))
        }
        bench.want(nil)
        bench.start(try Self.list([1, 2, 3].map(Self.room)))
        #expect([2, 1, 3].map { bench.scheduler.rank(of: .scope(Self.room($0))) } == [100, 1000, 1000])
    }

    @Test("a way through what is shared is learned, though another list comes meanwhile")
    func throughAnotherList() throws {
        let own = (0...1).map { Self.beacon(room: 4, UInt16($0)) }
        let scopes = own.map { ContentScope.beacon($0) } + [.uuid(hall.uuid)]
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.start(try Self.list(scopes))
        for visit in [own[0], Self.beacon(room: 6, 1)] { bench.want(visit) }
        bench.make { $0.retryNow(at: .zero) }
        bench.answerList(.success(try Self.list(scopes + [Self.room(5)])), at: 0)
        for visit in [own[1], own[0]] { bench.want(visit) }
        #expect(bench.scheduler.rank(of: .scope(scopes[1])) < 200)
    }

    @Test("a way counts once, and leads to an exhibit through what is shared, but not through an exhibit or to a room")
    func through() throws {
        let own = (0...2).map { Self.beacon(room: 4, UInt16($0)) }
        let (room, corridor) = (Self.room(5), ContentScope.uuid(hall.uuid))
        let (inRoom, inCorridor) = (Self.beacon(room: 5, 1), Self.beacon(room: 6, 1))
        let scopes = own.map { ContentScope.beacon($0) } + [room, corridor]
        func ranks(after visits: [BeaconID]) throws -> [Int] {
            var bench = try SchedulerBench { $0.prefetch = .off }
            bench.start(try Self.list(scopes))
            for visit in visits { bench.want(visit) }
            return scopes.map { bench.scheduler.rank(of: .scope($0)) }
        }
        let twice = [inCorridor, own[2], own[0]]
        #expect(try ranks(after: [own[0], own[1], own[0]] + twice + twice) == [0, 102, 101, 1000, 100])
        let once = [own[0], inCorridor, inRoom, own[1], own[0], own[1], own[0]]
        #expect(try ranks(after: once) == [0, 100, 1000, 1000, 101])
    }

    @Test("a site without a list is asked for 32 of those in range at once, and then for one a second")
    func withoutList() throws {
        var bench = try SchedulerBench { $0.parallelManifests = 100 }
        bench.start(.none)
        bench.make { $0.inRange((0..<64).map(SchedulerBench.beacon), at: .zero) }
        #expect(bench.syncs == (0..<32).map { .beacon(SchedulerBench.beacon($0)) })
        let at = try #require(bench.wakeAt)
        #expect(at >= 1 && at < 1.01)
        bench.wake(at: at)
        #expect(bench.syncs == [.beacon(SchedulerBench.beacon(32))])
        // With a list nobody has to be asked.
        var listed = try SchedulerBench { $0.parallelManifests = 100 }
        listed.start(try SchedulerBench.list(50))
        #expect(listed.looks.count == 50)
    }

    @Test("visits before the store was read count, 256 of them")
    func waiting() throws {
        func needed(_ visits: Int) throws -> Int {
            var bench = try SchedulerBench { $0.prefetch = .off }
            for minor in 0..<visits { bench.want(SchedulerBench.beacon(minor)) }
            #expect(bench.scheduler.lastNeeded().isEmpty && !bench.scheduler.hasStored)
            bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
            return bench.scheduler.lastNeeded().count
        }
        #expect(try needed(255) == 255 && needed(256) == 256 && needed(257) == 256)
    }

    @Test("what was learned is saved when it changes, once at a time")
    func saving() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        func saves() -> Int { bench.actions.count { if case .saveLearned = $0 { true } else { false } } }
        bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
        #expect(saves() == 0)
        bench.want(hall)
        #expect(saves() == 1)
        bench.want(shop)
        #expect(saves() == 0)
        bench.make { $0.saved(at: .zero) }
        #expect(saves() == 1, "nobody took what is new")
        _ = bench.scheduler.takeLearned()
        bench.make { $0.saved(at: .zero) }
        #expect(saves() == 0)
    }

    @Test("nothing is learned about beacons that the list does not have, so that forged ones cost nothing")
    func unlisted() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        // Before the list is known, anything may be in it.
        bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
        bench.want(SchedulerBench.beacon(500))
        bench.want(SchedulerBench.beacon(1))
        bench.start(try SchedulerBench.list(3))
        #expect(bench.scheduler.takeLearned()?.needed.count == 1)
        bench.make { $0.saved(at: .zero) }
        var saves = 0
        for minor in 0..<1000 {
            bench.want(SchedulerBench.beacon(1000 + minor))
            saves += bench.actions.count { if case .saveLearned = $0 { true } else { false } }
        }
        #expect(bench.scheduler.takeLearned()?.needed.count == 1 && saves == 0)
    }

    @Test("of beacons that share a manifest, only the manifest is remembered")
    func sharedManifest() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        let hash = SchedulerWorld.hash(of: "manifest")
        let json = """
            {"format": 1, "revision": 1, "beacons": [
             {"uuid": "\(hall.uuid)", "manifest": "v1/all.json", "sha256": "\(hash)"},
             {"uuid": "\(hall.uuid)", "major": 4, "minor": 0, "manifest": "v1/0.json", "sha256": "\(hash)"},
             {"uuid": "\(hall.uuid)", "major": 4, "minor": 1, "manifest": "v1/1.json", "sha256": "\(hash)"}]}
            """
        // Before the list is known, anything may have a manifest of its own.
        bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
        for minor in 100..<110 { bench.want(SchedulerBench.beacon(minor)) }
        bench.start(.list(try SiteList(json: Array(json.utf8)), SchedulerWorld.hash(of: "list")))
        let shared = "\(hall.uuid)"
        #expect(bench.scheduler.takeLearned()?.needed == [shared: 1_000_000_000])
        for minor in 0..<1000 { bench.want(SchedulerBench.beacon(1000 + minor), date: 2e9) }
        #expect(bench.scheduler.lastNeeded() == [.uuid(hall.uuid): 2_000_000_000])
        #expect(bench.scheduler.takeLearned()?.needed == [shared: 2_000_000_000])
        for minor in [0, 1500, 1, 0] { bench.want(SchedulerBench.beacon(minor)) }
        #expect(bench.scheduler.takeLearned()?.needed.count == 3)
    }

    @Test("many changes are saved together, after ten minutes")
    func savedTogether() throws {
        var bench = try SchedulerBench { $0.prefetch = .off }
        bench.make { $0.stored(Learned(), revision: nil, at: .zero) }
        var pauses: [Duration] = []
        for number in 0..<10 {
            bench.want(number.isMultiple(of: 2) ? hall : shop, at: Double(number) * 30)
            for case .saveLearned(let pause) in bench.actions { pauses.append(pause) }
        }
        #expect(pauses == [.seconds(600)])
    }

    /// What the only manifest of a site fails with in advance, again and again.
    private func failures(_ code: ContentError.Code, times: Int) throws -> (told: [Int], pauses: [Double]) {
        var bench = try SchedulerBench { $0.syncInterval = nil }
        bench.start(try SchedulerBench.list(1))
        let scope = ContentScope.beacon(SchedulerBench.beacon(0))
        var (now, told, pauses) = (0.0, [Int](), [Double]())
        for turn in 1...times {
            #expect(bench.looks == [scope], "\(code.rawValue), turn \(turn)")
            bench.make { $0.looked(scope, isComplete: false, at: SchedulerBench.time(now)) }
            #expect(bench.syncs == [.scope(scope)])
            bench.end(.scope(scope), SchedulerBench.error(code), at: now)
            if !bench.siteEvents.isEmpty { told.append(turn) }
            let failedAt = now
            for _ in 0..<3 where bench.looks.isEmpty {
                now = try #require(bench.wakeAt)
                bench.wake(at: now)
            }
            // After an outage it is looked for once more, within a few milliseconds.
            pauses.append((now - failedAt).rounded())
        }
        return (told, pauses)
    }

    @Test("what cannot be had in advance is told at once, and what may pass the fifth time")
    func failuresInAdvance() throws {
        let refused = try failures(.refused, times: 6)
        #expect(refused.told == [1] && refused.pauses == [1, 2, 4, 8, 16, 32])
        let slow = try failures(.slow, times: 7)
        #expect(slow.told == [5] && slow.pauses == [1, 2, 4, 5, 5, 5, 5])
        let connection = try failures(.connection, times: 7)
        #expect(connection.told == [5] && connection.pauses == [1, 2, 4, 5, 5, 5, 5])
        // Room below the quota does not come by waiting.
        #expect(try failures(.quota, times: 2).pauses == [300, 300])
    }

    /// A manifest fails in advance.
    private func fail(_ minor: Int, _ code: ContentError.Code, in bench: inout SchedulerBench, at seconds: Double) {
        let scope = ContentScope.beacon(SchedulerBench.beacon(minor))
        #expect(bench.looks == [scope])
        bench.make { $0.looked(scope, isComplete: false, at: SchedulerBench.time(seconds)) }
        #expect(bench.syncs == [.scope(scope)])
        bench.end(.scope(scope), SchedulerBench.error(code), at: seconds)
    }

    @Test("during an outage, manifests are tried in advance after pauses that double, until one succeeds")
    func outageInAdvance() throws {
        var bench = try SchedulerBench { $0.parallelManifests = 1 }
        bench.start(try SchedulerBench.list(4))
        for (minor, (failedAt, nextAt)) in ([(0, 1), (1, 3), (3, 7)] as [(Double, Double)]).enumerated() {
            fail(minor, .connection, in: &bench, at: failedAt)
            #expect(bench.looks.isEmpty && bench.wakeAt == nextAt)
            bench.wake(at: nextAt)
        }
        let last = ContentScope.beacon(SchedulerBench.beacon(3))
        #expect(bench.looks == [last])
        bench.make { $0.looked(last, isComplete: false, at: .seconds(7)) }
        bench.end(.scope(last), at: 7)
        bench.wake(at: 8)
        fail(0, .connection, in: &bench, at: 8)
        #expect(bench.looks.isEmpty && bench.wakeAt == 9)
    }

    @Test(
        "a manifest that is refused, or whose assets arrive too slowly, does not keep the next one waiting",
        arguments: [ContentError.Code.slow, .refused])
    func noOutageInAdvance(code: ContentError.Code) throws {
        var bench = try SchedulerBench { $0.parallelManifests = 1 }
        bench.start(try SchedulerBench.list(2))
        fail(0, code, in: &bench, at: 0)
        #expect(bench.looks == [.beacon(SchedulerBench.beacon(1))])
    }

    @Test("during a reported outage, a manifest is reported only if its failure does not end by itself")
    func reportedOutage() throws {
        var bench = try SchedulerBench { $0.prefetch = .likely }
        bench.start(try SchedulerBench.list(2))
        bench.want(hall)
        bench.end(key, SchedulerBench.error(.connection), at: 0)
        #expect(bench.scheduler.isInOutage)
        for turn in 1...6 {
            bench.make { $0.inRange([SchedulerBench.beacon(0)], at: .seconds(turn * 10)) }
            fail(0, .slow, in: &bench, at: Double(turn * 10))
            #expect(bench.siteEvents.isEmpty)
        }
        bench.make { $0.inRange([SchedulerBench.beacon(1)], at: .seconds(100)) }
        fail(1, .refused, in: &bench, at: 100)
        #expect(bench.siteEvents == ["failed refused"] && bench.scheduler.isInOutage)
    }

    @Test("what has failed in range is tried again while it is in range, and no wake-up is set for it afterwards")
    func goneOutOfRange() throws {
        var bench = try SchedulerBench { $0.prefetch = .likely }
        bench.start(try SchedulerBench.list(2))
        bench.make { $0.inRange([SchedulerBench.beacon(0)], at: .zero) }
        fail(0, .refused, in: &bench, at: 0)
        #expect(bench.wakeAt == 1)
        var near = bench
        near.wake(at: 1)
        #expect(near.looks == [.beacon(SchedulerBench.beacon(0))])
        bench.make { $0.inRange([], at: .milliseconds(500)) }
        bench.wake(at: 1)
        #expect(bench.looks.isEmpty && bench.wakeAt.map { $0 > 300 } == true, "the list is next")
    }

    @Test("when files were damaged, every manifest is looked at again")
    func damaged() throws {
        var bench = try SchedulerBench()
        bench.start(try SchedulerBench.list(2))
        let scopes = bench.looks
        for scope in scopes { bench.make { $0.looked(scope, isComplete: true, at: .zero) } }
        bench.make { $0.damaged(at: .seconds(1)) }
        #expect(scopes.count == 2 && bench.looks == scopes)
    }

    @Test("as many manifests are looked at in advance as may be, and one beside the wanted beacon's")
    func parallel() throws {
        var bench = try SchedulerBench { $0.parallelManifests = 3 }
        bench.start(try SchedulerBench.list(10))
        #expect(bench.looks == (0..<3).map { .beacon(SchedulerBench.beacon($0)) })
        bench.want(hall)
        for minor in 0..<3 {
            bench.make { $0.looked(.beacon(SchedulerBench.beacon(minor)), isComplete: true, at: .zero) }
            #expect(bench.looks.isEmpty, "the rest of the site waits for what is wanted")
        }
        bench.make { $0.inRange([SchedulerBench.beacon(9), SchedulerBench.beacon(8)], at: .zero) }
        #expect(bench.looks == [.beacon(SchedulerBench.beacon(9))], "what is in range does not")
        bench.make { $0.looked(.beacon(SchedulerBench.beacon(9)), isComplete: true, at: .zero) }
        #expect(bench.looks == [.beacon(SchedulerBench.beacon(8))])
        bench.end(key, at: 0)
        #expect(bench.looks == [3, 4].map { .beacon(SchedulerBench.beacon($0)) })
    }

    @Test(
        "of another list only what has changed is looked at, wherever it stands in it, whoever has asked for it",
        arguments: [true, false])
    func otherList(isScheduled: Bool) throws {
        func list(_ minors: [Int], _ hash: String) throws -> StoredSite {
            let site = try SchedulerWorld.Site(minors.map { (SchedulerBench.beacon($0), []) }, hasList: true)
            return .list(try #require(site.list), SchedulerWorld.hash(of: hash))
        }
        var bench = try SchedulerBench()
        bench.start(try list([1, 3], "one"))
        for scope in bench.looks { bench.make { $0.looked(scope, isComplete: true, at: .zero) } }
        let key = JobKey.beacon(SchedulerBench.beacon(9))
        if isScheduled {
            bench.make { $0.retryNow(at: .seconds(1)) }
        } else {
            bench.want(SchedulerBench.beacon(9), at: 1)
            bench.make { $0.askForList(.job(key), at: .seconds(1)) }
        }
        bench.answerList(.success(try list([0, 1, 2, 3], "two")), at: 1)
        if !isScheduled { bench.end(key, at: 2) }
        #expect(bench.looks == [0, 2].map { .beacon(SchedulerBench.beacon($0)) })
    }

    @Test("when nothing is left, what is not needed any more goes once a list", arguments: [true, false])
    func prune(isEverything: Bool) throws {
        var bench = try SchedulerBench { $0.prefetch = isEverything ? .everything : .likely }
        func prunes() -> (all: Int, partials: Int) {
            (
                bench.prunes,
                bench.actions.count { if case .removeUnneededPartials = $0 { true } else { false } }
            )
        }
        bench.start(try SchedulerBench.list(0))
        #expect(prunes() == (isEverything ? (1, 0) : (0, 1)) && bench.scheduler.hasPruned)
        bench.make { $0.pruned(at: .zero) }
        #expect(prunes() == (0, 0))
        bench.make { $0.retryNow(at: .seconds(1)) }
        bench.answerList(.success(try SchedulerBench.list(0, hash: "other")), at: 1)
        #expect(prunes() == (isEverything ? (1, 0) : (0, 1)))
    }

    @Test("what another list no longer needs is removed after a removal that is under way")
    func pruneAgain() throws {
        var bench = try SchedulerBench()
        bench.start(try SchedulerBench.list(0))
        #expect(bench.prunes == 1)
        bench.make { $0.retryNow(at: .seconds(1)) }
        bench.answerList(.success(try SchedulerBench.list(0, hash: "other")), at: 1)
        #expect(bench.prunes == 0)
        bench.make { $0.pruned(at: .seconds(2)) }
        #expect(bench.prunes == 1)
    }

    @Test("what is evicted is told, and looked for again where it is in range")
    func evicted() throws {
        var bench = try SchedulerBench { $0.prefetch = .likely }
        bench.start(try SchedulerBench.list(2))
        let scope = ContentScope.beacon(SchedulerBench.beacon(0))
        bench.make { $0.inRange([SchedulerBench.beacon(0)], at: .zero) }
        bench.make { $0.looked(scope, isComplete: true, at: .zero) }
        bench.make { $0.evicted([], at: .zero) }
        #expect(bench.siteEvents.isEmpty && bench.looks.isEmpty)
        bench.make { $0.evicted([scope], at: .zero) }
        #expect(bench.siteEvents == ["evicted 1"] && bench.looks == [scope])
    }

    // MARK: - Room

    @Test("a full disk is told, keeps everybody waiting, and is looked at again")
    func fullDisk() throws {
        var bench = try SchedulerBench()
        bench.start(try SchedulerBench.list(1))
        let scope = ContentScope.beacon(SchedulerBench.beacon(0))
        bench.make { $0.looked(scope, isComplete: false, at: .zero) }
        let reserve: Int64 = 1 << 30
        bench.end(.scope(scope), SchedulerBench.error(.diskFull), space: .init(free: reserve, reserve: reserve), at: 10)
        #expect(bench.siteEvents == ["refused disk-full"] && bench.scheduler.isFull && bench.scheduler.isInOutage)
        let at = try #require(bench.wakeAt)
        #expect(at - 10 == 5)
        #expect(bench.scheduler.refusal(at: .seconds(11))?.code == .diskFull)
        bench.wake(at: at)
        #expect(bench.actions.count { if case .measureSpace = $0 { true } else { false } } == 1)
        bench.make { $0.measured(.init(free: reserve + 65535, reserve: reserve), isAsked: true, at: .seconds(at)) }
        #expect(bench.scheduler.isFull && bench.siteEvents.isEmpty)
        bench.make { $0.measured(.init(free: reserve + 65536, reserve: reserve), isAsked: false, at: .seconds(at)) }
        #expect(!bench.scheduler.isFull && bench.siteEvents == ["recovered"] && bench.looks == [scope])
    }
}
