import Beacon
import Content
import SiteFormat
import Testing

/// What is remembered of failures, for how long, and how much of it.
struct FailureMemoryTests {
    private static func scope(_ number: Int) -> ContentScope {
        .beacon(BeaconID(uuid: hall.uuid, major: 6, minor: UInt16(number)))
    }

    // MARK: - Assets

    @Test("an asset that failed is asked for again when its time has come, when somebody asks, or with another size")
    func schedule() throws {
        var bench = try SchedulerBench()
        let asset = SchedulerBench.asset(1)
        /// Whether a sync of the beacon asks for the asset, and what it ends with if not.
        func need(_ beacon: BeaconID, _ asset: ManifestAsset, at seconds: Double) -> (isAsked: Bool, ContentError?) {
            bench.want(beacon, at: seconds)
            bench.make { $0.needs(.beacon(beacon), [asset], at: SchedulerBench.time(seconds)) }
            var (isAsked, failure) = (false, ContentError?.none)
            for action in bench.actions {
                if case .download = action { isAsked = true }
                if case .finishAssets(.beacon(beacon), let error) = action { failure = error }
            }
            if let failure { bench.end(.beacon(beacon), failure, at: seconds) }
            return (isAsked, failure)
        }
        func fail(_ code: ContentError.Code, for beacon: BeaconID, at seconds: Double) {
            let time = SchedulerBench.time(seconds)
            bench.make { $0.transferEnded(asset.sha256, SchedulerBench.error(code), at: time) }
            bench.end(.beacon(beacon), SchedulerBench.error(code), at: seconds)
        }
        #expect(need(hall, asset, at: 0).isAsked)
        fail(.refused, for: hall, at: 0)
        let (isAsked, failure) = need(shop, asset, at: 0.5)
        #expect(!isAsked && failure?.code == .refused && failure?.retryAfter == .milliseconds(500))
        #expect(need(attic, SchedulerBench.asset(1, bytes: 999), at: 0.6).isAsked, "another size")
        fail(.connection, for: attic, at: 0.6)

        #expect(need(hall, asset, at: 1).isAsked)
        fail(.hash, for: hall, at: 1)
        #expect(!need(shop, asset, at: 2.9).isAsked && need(shop, asset, at: 3).isAsked, "two seconds after the second")
        fail(.refused, for: shop, at: 3)
        bench.make { $0.retryNow(at: SchedulerBench.time(4)) }
        #expect(need(hall, asset, at: 4).isAsked)
        // What may pass by itself is left to those who need it.
        fail(.unavailable, for: hall, at: 4)
        #expect(need(attic, asset, at: 4).isAsked)
    }

    @Test("an asset that failed is left alone up to its time, and in a pass longer")
    func leftAlone() {
        let (asset, other) = (SchedulerBench.asset(1), SchedulerBench.asset(1, bytes: 999))
        var failed = FailedAssets()
        func wait(_ seconds: Int, isOnce: Bool = false) -> Duration? {
            failed.refusal(of: asset, at: .seconds(seconds), isOnce: isOnce)?.retryAfter
        }
        #expect(wait(0) == nil && wait(0, isOnce: true) == nil && failed.count(of: asset) == 0)
        failed.note(asset, SchedulerBench.error(.hash), until: .seconds(10))
        #expect(wait(9) == .seconds(1) && wait(10) == nil)
        #expect(failed.refusal(of: asset, at: .seconds(10)) == nil, "outside a pass")
        #expect(wait(10, isOnce: true) == .zero && wait(99, isOnce: true) == .zero)
        #expect(failed.refusal(of: other, at: .zero, isOnce: true) == nil && failed.count(of: other) == 0)
        failed.note(asset, SchedulerBench.error(.hash), until: .seconds(20))
        #expect(failed.count(of: asset) == 2 && wait(19) == .seconds(1))
        // With another size it begins anew.
        failed.note(other, SchedulerBench.error(.hash), until: .seconds(20))
        #expect(failed.count(of: other) == 1 && failed.count(of: asset) == 0)
        failed.forget(asset.sha256)
        #expect(failed.count(of: other) == 0)
    }

    @Test("an asset is left alone where only the owner can correct what is wrong with it")
    func lasting() {
        let lasting: [ContentError.Code] = [.refused, .redirect, .hash, .tooLarge]
        let passing: [ContentError.Code] = [
            .connection, .timeout, .slow, .unavailable, .quota, .storage, .diskFull, .cancelled,
        ]
        #expect(lasting.filter { !FailedAssets.isLasting(SchedulerBench.error($0)) } == [])
        #expect(passing.filter { FailedAssets.isLasting(SchedulerBench.error($0)) } == [])
    }

    @Test("4096 assets that failed are remembered, also when they fail once more")
    func manyAssets() {
        var failed = FailedAssets()
        let assets = (0...4096).map { SchedulerBench.asset($0) }
        for asset in assets { failed.note(asset, SchedulerBench.error(.refused), until: .seconds(1)) }
        #expect(assets.map { failed.count(of: $0) } == Array(repeating: 1, count: 4096) + [0])
        failed.note(assets[0], SchedulerBench.error(.refused), until: .seconds(2))
        #expect(failed.count(of: assets[0]) == 2)
        failed.forgetAll()
        #expect(failed.count(of: assets[0]) == 0 && failed.count(of: assets[4095]) == 0)
    }

    // MARK: - Manifests that failed

    @Test("caches are bypassed for content whose last sync has failed, and no longer after a sync that has not")
    func troubled() throws {
        var bench = try SchedulerBench()
        bench.start(try SchedulerBench.list(1))
        let (scope, key) = (ContentScope.beacon(SchedulerBench.beacon(0)), JobKey.beacon(hall))
        let keys: [JobKey] = [.scope(scope), key]
        func areTroubled() -> [Bool] { keys.map { bench.scheduler.isTroubled($0) } }
        #expect(areTroubled() == [false, false])
        bench.make { $0.looked(scope, isComplete: false, at: .zero) }
        bench.end(.scope(scope), SchedulerBench.error(.refused), at: 0)
        #expect(areTroubled() == [true, false])
        bench.want(hall)
        bench.end(key, SchedulerBench.error(.refused), at: 0)
        #expect(areTroubled() == [true, true])
        bench.wake(at: 1)
        bench.end(key, at: 1)
        #expect(areTroubled() == [true, false] && bench.looks == [scope])
        bench.make { $0.looked(scope, isComplete: false, at: .seconds(1)) }
        bench.end(.scope(scope), at: 1)
        #expect(areTroubled() == [false, false])
    }

    @Test("how often a manifest failed in advance is remembered of 4096 others", arguments: [(4096, 2.0), (4097, 1)])
    func manyInAdvance(beacons: Int, pause: Double) throws {
        var bench = try SchedulerBench { $0.syncInterval = nil }
        bench.start(.none)
        // Its sync goes on until the end, so that only the manifests in range are synced in advance.
        bench.want(hall)
        func fail(_ beacon: BeaconID, at seconds: Double) {
            bench.make { $0.inRange([beacon], at: SchedulerBench.time(seconds)) }
            #expect(bench.syncs == [.beacon(beacon)])
            bench.end(.beacon(beacon), SchedulerBench.error(.refused), at: seconds)
        }
        let all = (0..<beacons).map(SchedulerBench.beacon) + [shop]
        for (second, beacon) in all.enumerated() { fail(beacon, at: Double(second)) }
        fail(SchedulerBench.beacon(0), at: 5000)
        bench.end(.beacon(hall), at: 5000)
        // Seconds beside 5000 are not exact to the last digit.
        let wakeAt = try #require(bench.wakeAt)
        #expect(abs(wakeAt - (5000 + pause)) < 0.001)
    }

    // MARK: - Manifests that did not fit

    private static func manifest(_ number: Int, assets: Int = 1) -> TooLargeForQuota.Known {
        TooLargeForQuota.Known(
            sha256: SchedulerWorld.hash(of: "manifest \(number)"), bytes: number,
            assets: Array(repeating: SchedulerBench.asset(number), count: assets))
    }

    @Test("what did not fit is known by its hash until it fits, and with another list where that has it too")
    func tooLarge() {
        var memory = TooLargeForQuota()
        let list = SchedulerWorld.hash(of: "list")
        memory.keep(of: list) { _, _ in false }
        for number in 0..<3 { memory.note(Self.scope(number), Self.manifest(number)) }
        func known() -> [Int?] { (0..<3).map { memory.known(Self.scope($0), Self.manifest($0).sha256)?.bytes } }
        #expect(known() == [0, 1, 2])
        #expect(memory.known(Self.scope(0), Self.manifest(1).sha256)?.bytes == nil, "there is another one")
        memory.keep(of: list) { _, _ in false }
        #expect(known() == [0, 1, 2], "the list is the same")
        memory.forget(Self.scope(2))
        #expect(known() == [0, 1, nil])
        let kept = Self.manifest(1).sha256
        memory.keep(of: SchedulerWorld.hash(of: "other")) { $1 == kept }
        #expect(known() == [nil, 1, nil])
    }

    @Test("16384 manifests that did not fit are known")
    func manyManifests() {
        var memory = TooLargeForQuota()
        let manifest = Self.manifest(1)
        for number in 0...16384 { memory.note(Self.scope(number), manifest) }
        func isKnown(_ number: Int) -> Bool { memory.known(Self.scope(number), manifest.sha256) != nil }
        #expect(isKnown(0) && isKnown(16383) && !isKnown(16384))
        // One that is noted again needs no other place.
        memory.note(Self.scope(0), manifest)
        #expect(isKnown(0))
        memory.forget(Self.scope(0))
        memory.note(Self.scope(16384), manifest)
        #expect(!isKnown(0) && isKnown(16384))
    }

    @Test("manifests that did not fit are known with 131072 assets in all")
    func manyAssetsOfManifests() {
        var memory = TooLargeForQuota()
        let (one, half) = (Self.manifest(1), Self.manifest(2, assets: 65536))
        func isKnown(_ number: Int, _ manifest: TooLargeForQuota.Known) -> Bool {
            memory.known(Self.scope(number), manifest.sha256) != nil
        }
        memory.note(Self.scope(0), half)
        memory.note(Self.scope(1), half)
        memory.note(Self.scope(2), one)
        #expect(isKnown(0, half) && isKnown(1, half) && !isKnown(2, one))
        memory.note(Self.scope(1), one)
        let rest = Self.manifest(3, assets: 65535)
        memory.note(Self.scope(2), rest)
        memory.note(Self.scope(3), one)
        #expect(isKnown(1, one) && isKnown(2, rest) && !isKnown(3, one))
        // What another list does not have takes no room.
        let kept = half.sha256
        memory.keep(of: SchedulerWorld.hash(of: "other")) { $1 == kept }
        memory.note(Self.scope(4), half)
        memory.note(Self.scope(5), one)
        #expect(isKnown(0, half) && isKnown(4, half) && !isKnown(5, one))
    }

    // MARK: - The state of the site

    @Test("what is wrong with 1024 contents is remembered, and the newest of each")
    func manyContents() {
        var health = SiteHealth()
        for number in 0...1024 { health.contentAnswered(Self.scope(number), SchedulerBench.error(.refused)) }
        #expect(health.problem?.hasPrefix("\(Self.scope(0)) (and 1023 others): ") == true)
        let newer = ContentError(code: .hash, place: "there", cause: "it is another", remedy: "try again")
        health.contentAnswered(Self.scope(0), newer)
        #expect(health.problem == "\(Self.scope(0)) (and 1023 others): \(newer)")
        health.contentAnswered(Self.scope(1), nil)
        #expect(health.problem?.contains("(and 1022 others)") == true)
        health.contentAnswered(Self.scope(1024), newer)
        #expect(health.problem?.contains("(and 1023 others)") == true)
        for number in 0...1024 where number != 7 { health.contentAnswered(Self.scope(number), nil) }
        #expect(health.problem?.hasPrefix("\(Self.scope(7)): ") == true, "one alone has no others")
        health.listChanged()
        #expect(health.problem == nil)
    }

    @Test("a list that cannot be had is told before a full disk, and that before content")
    func order() {
        let list = SchedulerBench.error(.format)
        let room = ContentError(code: .diskFull, place: "store", cause: "it is full", remedy: "make room")
        var health = SiteHealth()
        health.contentAnswered(Self.scope(1), SchedulerBench.error(.refused))
        health.room = room
        #expect(health.problem == "\(room)")
        health.listAnswered(list)
        #expect(health.problem == "\(list)")
        health.listAnswered(nil)
        health.room = nil
        #expect(health.problem?.hasPrefix("\(Self.scope(1)): ") == true)
    }
}
