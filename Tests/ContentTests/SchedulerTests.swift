import Beacon
import Content
import SiteFormat
import TestSupport
import Testing

/// What is fetched next, without a network: every order of few inputs, and long random histories. What must hold after
/// each input is in `SchedulerWorld`.
@Suite(.timeLimit(.minutes(10)))
struct SchedulerTests {
    static let manifests = [(hall, [1, 2]), (shop, [2, 3]), (attic, [])]

    /// Lets everything succeed from here on: all that was wanted is there, and only the schedule goes on.
    static func expectRest(_ world: SchedulerWorld) {
        var world = world
        let wakeUps = world.settle()
        #expect(world.violations.isEmpty, "\(world.violations.first ?? "")")
        guard !world.isClosed, world.violations.isEmpty else { return }
        #expect(wakeUps <= 20, "woken \(wakeUps) times in an hour without work, after \(world.history)")
        #expect(!world.isBusy && world.open.isEmpty, "after \(world.history)")
        if let wanted = world.wanted, let scope = world.scope(of: .beacon(wanted)) {
            #expect(world.published.contains(scope), "\(scope) was wanted, after \(world.history)")
        }
        if world.isStarted, world.site.list != nil {
            #expect(world.published.count == world.scopes.count, "after \(world.history)")
        }
    }

    /// Every order of these inputs and of the ends of what they start, up to a depth.
    ///
    /// - Returns: how many histories there were.
    static func expectAlways(
        from world: SchedulerWorld, inputs: [SchedulerWorld.Move], depth: Int
    ) async -> Int {
        var leaves = 0
        var open = [(world: world, inputs: inputs, depth: depth)]
        while let (world, inputs, depth) = open.popLast() {
            guard depth > 0, world.violations.isEmpty else {
                leaves += 1
                // The rest of each history is long: not every one is followed to its end.
                if leaves % 101 == 0 { expectRest(world) }
                #expect(world.violations.isEmpty, "\(world.violations.first ?? "")")
                guard world.violations.isEmpty else { return leaves }
                // Other tests have limits of time.
                if leaves % 64 == 0 { await Task.yield() }
                continue
            }
            let wake: [SchedulerWorld.Move] = world.wakeAt == nil || world.isClosed ? [] : [.wake]
            for (index, move) in (inputs + world.ends([.success, .connection]) + wake).enumerated() {
                var next = world
                next.make(move)
                // Each input comes once: what it does the second time comes from the random histories.
                open.append((next, index < inputs.count ? inputs.filter { $0 != move } : inputs, depth - 1))
            }
        }
        return leaves
    }

    @Test("every order of a few inputs", arguments: [true, false])
    func everyOrder(hasList: Bool) async throws {
        let site = try SchedulerWorld.Site(Self.manifests, hasList: hasList)
        let inputs: [SchedulerWorld.Move] = [
            .want(hall), .want(shop), .inRange([attic, shop]), .start, .retryNow, .close,
        ]
        let histories = await Self.expectAlways(from: try SchedulerWorld(site), inputs: inputs, depth: 6)
        #expect(histories > 20_000)
    }

    /// The wanted beacon's assets are on their way already; what else comes is tried in every order.
    @Test("every order around a transfer")
    func everyOrderAround() async throws {
        let site = try SchedulerWorld.Site(Self.manifests, hasList: true)
        var world = try SchedulerWorld(site)
        for move in [.start, .stored, .want(hall), .job(.beacon(hall)), .list(.success), .job(.beacon(hall))]
            as [SchedulerWorld.Move]
        {
            world.make(move)
        }
        #expect(world.violations.isEmpty && !world.downloads.isEmpty)
        let histories = await Self.expectAlways(
            from: world, inputs: [.want(shop), .pass, .inRange([shop]), .damage], depth: 4)
        #expect(histories > 5000)
    }

    @Test("random histories", arguments: [true, false])
    func randomHistories(hasList: Bool) async throws {
        let beacons = (0..<8).map { BeaconID(uuid: hall.uuid, major: 3, minor: UInt16($0)) }
        let site = try SchedulerWorld.Site(
            beacons.enumerated().map { index, beacon in
                (beacon, Array([index, index / 2 + 20, 40].prefix(index % 4)))
            },
            hasList: hasList)
        for seed in 1...100 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var world = try SchedulerWorld(site) {
                if seed % 3 == 0 { $0.prefetch = .likely }
                if seed % 5 == 0 { $0.revalidationInterval = .seconds(30) }
                $0.parallelManifests = Int(seed % 4) + 1
            }
            for _ in 0..<250 where world.violations.isEmpty {
                world.make(Self.move(in: world, beacons, &random))
            }
            await Task.yield()
            #expect(world.violations.isEmpty, "seed \(seed): \(world.violations.first ?? "")")
            if seed % 3 != 0, seed % 5 != 0 { Self.expectRest(world) }
        }
    }

    private static func move(
        in world: SchedulerWorld, _ beacons: [BeaconID], _ random: inout SeededGenerator
    ) -> SchedulerWorld.Move {
        let ends = world.ends([.success, .success, .connection, .refused, world.isFull ? .diskFull : .success])
        // Most of the time something ends; else something comes.
        if !ends.isEmpty, random.number(10) < 7 { return ends[random.number(ends.count)] }
        switch random.number(12) {
        case 0...2: return .want(random.number(6) == 0 ? nil : beacons[random.number(beacons.count)])
        case 3: return .want(SchedulerWorld.stranger)
        case 4...5: return .inRange((0..<random.number(4)).map { _ in beacons[random.number(beacons.count)] })
        case 6: return world.isStarted ? .retryNow : .start
        case 7: return world.pass == nil ? .pass : .retryNow
        case 8: return random.number(4) == 0 ? .damage : world.isSaving ? .saved : .retryNow
        case 9: return .room(random.number(3) > 0)
        default: return world.wakeAt == nil ? .retryNow : .wake
        }
    }

    /// What failed in advance and was had later is not looked for again and again.
    @Test("a failure that has passed wakes nobody")
    func failureThatHasPassed() throws {
        let site = try SchedulerWorld.Site([(hall, [1])], hasList: true)
        var world = try SchedulerWorld(site)
        world.make(.start)
        var hasFailed = false
        for _ in 0..<100 {
            let moves = world.ends([hasFailed ? .success : .connection])
            if let move = moves.first(where: { if case .leaveNetwork = $0 { false } else { true } }) {
                if case .list = move {
                    world.make(.list(.success))
                } else {
                    if case .download = move { hasFailed = true }
                    world.make(move)
                }
            } else if world.wakeAt != nil {
                world.make(.wake)
            }
        }
        #expect(hasFailed && world.published == [.beacon(hall)])
        Self.expectRest(world)
    }

    /// Whoever shows a beacon's outage learns that its content is current again, whoever ended the outage.
    @Test("an outage that another beacon ended ends for each")
    func outageThatAnother() throws {
        let site = try SchedulerWorld.Site([(hall, [1]), (shop, [2])], hasList: true)
        var world = try SchedulerWorld(site)
        world.published = Set(world.scopes)
        world.present = Set(world.hashes)
        let (first, other) = (JobKey.beacon(hall), JobKey.beacon(shop))
        for move in [.want(shop), .want(hall), .job(first), .list(.connection), .job(first)] as [SchedulerWorld.Move] {
            world.make(move)
        }
        #expect(world.outages == [hall] && world.scheduler.isInOutage)
        for move in [.job(other), .list(.success), .job(other)] as [SchedulerWorld.Move] { world.make(move) }
        #expect(!world.scheduler.isInOutage && world.ends == [shop: 1])
        for move in [.wake, .job(first), .list(.success), .job(first)] as [SchedulerWorld.Move] { world.make(move) }
        #expect(world.ends == [hall: 1], "nothing is new, but the outage was reported")
        #expect(world.violations.isEmpty)
    }

    /// On a site without a list, the sync of the whole site has a job for the wanted beacon when that is to be tried
    /// again.
    @Test("what is wanted is tried again, though a pass that failed took over its next try")
    func passTakesTheNextTry() throws {
        var world = try SchedulerWorld(try SchedulerWorld.Site([(hall, [1])], hasList: false))
        world.published = Set(world.scopes)
        let key = JobKey.beacon(hall)
        let asset = try #require(world.hashes.first)
        let failing: [SchedulerWorld.Move] = [
            .job(key), .list(.success), .job(key), .download(asset, .connection), .job(key),
        ]
        for move in [.want(hall)] + failing { world.make(move) }
        #expect(world.jobs[key] == nil && world.wakeAt != nil)
        for move in [.pass, .list(.success), .passStep] as [SchedulerWorld.Move] { world.make(move) }
        #expect(world.jobs[key] != nil)
        world.make(.wake)
        for move in failing { world.make(move) }
        #expect(world.jobs[key] == nil && world.wakeAt != nil, "no schedule runs here that could try it again")
    }

    /// What comes again and again does not put off the next look at a full disk.
    @Test("a full disk is looked at again while those in range change")
    func fullDisk() throws {
        let site = try SchedulerWorld.Site([(hall, [1]), (shop, [2])], hasList: true)
        var world = try SchedulerWorld(site)
        world.isFull = true
        for move in [.start, .stored, .list(.success)] as [SchedulerWorld.Move] { world.make(move) }
        for _ in 0..<20 {
            let moves = world.ends([.diskFull])
            guard let move = moves.first(where: { if case .leaveNetwork = $0 { false } else { true } }) else { break }
            world.make(move)
        }
        #expect(world.scheduler.isFull && world.wakeAt != nil)
        let first = try #require(world.wakeAt)
        for turn in 0..<10 {
            world.now += .seconds(1) / 2
            if world.now >= first { break }
            world.make(.inRange(turn.isMultiple(of: 2) ? [hall] : [shop]))
            #expect(world.wakeAt == first)
        }
        world.make(.wake)
        #expect(world.isMeasuring)
    }
}

extension SeededGenerator {
    fileprivate mutating func number(_ count: Int) -> Int {
        Int.random(in: 0..<count, using: &self)
    }
}
