import Beacon
import Content
import Foundation
import SiteFormat
import Synchronization
import TestSupport
import Testing

/// The whole site: everything at once, in advance, within a quota, and what is deleted.
@Suite(
    .enabled(if: Nginx.program != nil, "nginx is not installed (apt-get install nginx-light, or set NGINX)"),
    .timeLimit(.minutes(10)))
struct SiteTests {
    func museum(_ rooms: Int = 12, bytes: Int = 5000) throws -> ContentSite {
        var site = try ContentSite()
        for room in 0..<rooms {
            site.pages[.beacon(beacon(room))] = .init(name: "Room \(room)", images: [image(room, bytes: bytes)])
        }
        try site.publish()
        return site
    }

    func beacon(_ room: Int) -> BeaconID {
        BeaconID(uuid: hall.uuid, major: 7, minor: UInt16(room))
    }

    func complete(_ bench: Bench, _ room: Int) -> Bool {
        bench.store.content(for: beacon(room))?.missing == 0
    }

    /// Waits for something that comes about without an event: longer than a loaded machine needs, and shorter than the
    /// interval after which everything is asked for again.
    func wait(_ what: String, until condition: () -> Bool) async throws {
        for _ in 0..<6000 {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw EventLog.Missing(description: what)
    }

    /// The server keeps the list back until it was asked for the manifest: whoever waits for the list first gets
    /// nothing.
    @Test("the next beacon's manifest is asked for while the list is")
    func nextBeacons() async throws {
        let site = try museum(2)
        let path = "/v1/\(ContentSite.Target.beacon(beacon(1)).path)"
        let asked = DispatchSemaphore(value: 0)
        let server = try RawServer(requests: { if $0.contains(path) { asked.signal() } }) { path, count in
            if path == "/v1/site.json", count == 1, asked.wait(timeout: .now() + 60) == .timedOut { return [.stall] }
            guard let data = FileManager.default.contents(atPath: site.folder + path) else { return [.notFound] }
            return [.answer("200 OK", Array(data))]
        }
        let bench = try Bench(server.baseURL) { $0.prefetch = .off }
        await bench.sync.want(beacon(0))
        _ = try await bench.log.ready()
        await bench.sync.want(beacon(1))
        #expect(try await bench.log.ready().fetchedAssets == 1)
        #expect(server.count("/v1/site.json") == 2 && server.count(path) == 1)
        await bench.sync.shutdown()
    }

    @Test("a sync of the whole site sums up, and an unchanged one is one request")
    func syncOfWhole() async throws {
        var site = try museum()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        let first = try await bench.sync.syncAll()
        #expect(first.new.count == 12 && first.isComplete && first.fetchedAssets == 12)
        #expect(first.transferredBytes == 60_000 && first.revision == 1)
        var count = try nginx.requests().count
        let second = try await bench.sync.syncAll()
        #expect(second.unchanged == 12 && second.new.isEmpty && second.updated.isEmpty)
        #expect(try nginx.requests().count == count + 1)

        site.pages[.beacon(beacon(3))] = nil
        site.pages[.beacon(beacon(4))]?.images = [image(40)]
        site.pages[.beacon(beacon(50))] = .init(name: "New", images: [image(50)])
        try site.publish()
        try FileManager.default.removeItem(atPath: site.file(of: asset(50)))
        let third = try await bench.sync.syncAll()
        #expect(third.deleted == [.beacon(beacon(3))] && third.updated == [.beacon(beacon(4))])
        #expect(third.new.isEmpty && third.unchanged == 10)
        #expect(third.failed.map(\.scope) == [.beacon(beacon(50))] && third.failed.first?.error.code == .refused)
        #expect(bench.store.content(for: beacon(3)) == nil)
        #expect(bench.store.assetPath(asset(3).sha256) == nil, "deleted from the disk as well")
        #expect(bench.store.assetPath(asset(4).sha256) == nil)
        try site.write(Data(asset(50).data), to: "assets/\(asset(50).sha256)")
        count = try nginx.requests().count
        #expect(try await bench.sync.syncAll().new == [.beacon(beacon(50))])
        #expect(try nginx.requests().count == count + 3, "the list, the manifest, the asset")
        await bench.sync.shutdown()
    }

    @Test("everything is there before it is wanted, those in range first")
    func everythingIsThereBefore() async throws {
        let site = try museum(12, bytes: 100_000)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) {
            $0.parallelTransfers = 1
            $0.parallelManifests = 1
        }
        await bench.sync.inRange([beacon(9), beacon(7)])
        await bench.sync.start()
        try await wait("all rooms") { (0..<12).allSatisfy { complete(bench, $0) } }
        let order = try nginx.requests().map(\.path).filter { $0.contains("/beacons/") }
        #expect(order.prefix(2) == ["/v1/beacons/\(beacon(9)).json", "/v1/beacons/\(beacon(7)).json"])
        #expect(order.count == 12)
        let before = try nginx.requests().count
        for room in 0..<12 {
            await bench.sync.want(beacon(room))
            #expect(try await bench.log.ready().unchanged)
        }
        #expect(try nginx.requests().count == before + 12, "the list is validated, nothing is fetched")
        await bench.sync.shutdown()
    }

    @Test("the likely next is learned, also over a restart")
    func likelyNext() async throws {
        let site = try museum()
        let nginx = try Nginx(serving: site.folder)
        let first = try Bench(nginx.baseURL)
        for room in [1, 2, 1, 2, 1, 3] {
            await first.sync.want(beacon(room))
            _ = try await first.log.ready()
        }
        await first.sync.shutdown()
        try FileManager.default.removeItem(atPath: "\(first.store.directory)/beacons")
        let second = try Bench(nginx.baseURL, directory: first.store.directory) { $0.prefetch = .likely }
        await second.sync.start()
        await second.sync.want(beacon(1))
        try await wait("the next rooms") { complete(second, 2) && complete(second, 3) }
        #expect(!complete(second, 4))
        await second.sync.shutdown()
    }

    @Test("the quota evicts what was not needed for longest, never what is needed now")
    func quotaEvicts() async throws {
        let site = try museum(8, bytes: 10_000)
        let nginx = try Nginx(serving: site.folder)
        let pinned = beacon(0)
        let bench = try Bench(nginx.baseURL) {
            $0.quotaBytes = 50_000
            $0.pinned = [pinned]
        }
        for room in 0..<4 {
            await bench.sync.want(beacon(room))
            _ = try await bench.log.ready()
        }
        await bench.sync.inRange([beacon(1)])
        for room in 4..<7 {
            await bench.sync.want(beacon(room))
            _ = try await bench.log.ready()
            #expect(bench.store.damagedAssets().isEmpty)
            #expect(try bench.store.list().allSatisfy { $0.missing == 0 })
        }
        #expect(complete(bench, 0) && complete(bench, 1) && complete(bench, 6))
        #expect(!complete(bench, 2) && !complete(bench, 3))
        #expect(try bench.store.list().reduce(0) { $0 + $1.bytes } <= 50_000)
        // The rest of the site drives nothing out.
        let summary = try await bench.sync.syncAll()
        #expect(summary.failed.allSatisfy { $0.error.code == .quota } && summary.failed.count == 4)
        #expect(complete(bench, 0) && complete(bench, 1) && complete(bench, 6))
        await bench.sync.shutdown()
    }

    @Test("below the quota, what is only in range makes room for the nearest beacon")
    func quotaInRange() async throws {
        let site = try museum(8, bytes: 10_000)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) {
            $0.quotaBytes = 50_000
            $0.prefetch = .likely
        }
        await bench.sync.start()
        await bench.sync.inRange((0..<4).map(beacon))
        try await wait("those in range") { (0..<4).allSatisfy { complete(bench, $0) } }
        await bench.sync.want(beacon(4))
        _ = try await bench.log.ready()
        #expect(complete(bench, 4) && complete(bench, 0))
        await bench.sync.shutdown()
    }

    @Test("what does not fit below the quota at all drives nothing out")
    func quotaTooSmall() async throws {
        var site = try ContentSite()
        for (room, bytes) in [(0, 10_000), (1, 10_000), (2, 60_000)] {
            site.pages[.beacon(beacon(room))] = .init(name: "Room \(room)", images: [image(room, bytes: bytes)])
        }
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) { $0.quotaBytes = 50_000 }
        for room in 0..<2 {
            await bench.sync.want(beacon(room))
            _ = try await bench.log.ready()
        }
        await bench.sync.want(beacon(2))
        let error = try await bench.log.failure().error
        #expect(error.code == .quota && error.remedy.contains("content.quota_bytes"), "\(error)")
        #expect(complete(bench, 0) && complete(bench, 1))
        await bench.sync.shutdown()
    }

    @Test("what does not fit below the quota is asked for once, not with each list")
    func quotaAskedOnce() async throws {
        let site = try museum(8, bytes: 10_000)
        let server = try RawServer { path, _ in
            guard let data = FileManager.default.contents(atPath: site.folder + path) else { return [.notFound] }
            return [.answer("200 OK", Array(data))]
        }
        let bench = try Bench(server.baseURL) {
            $0.quotaBytes = 50_000
            $0.syncInterval = .milliseconds(200)
        }
        await bench.sync.start()
        func counts() -> [Int] {
            (0..<8).map { server.count("/v1/\(ContentSite.Target.beacon(beacon($0)).path)") }
        }
        try await wait("each is asked for") { counts().allSatisfy { $0 > 0 } }
        var (first, before) = (counts(), [Int]())
        // A busy machine may need more lists until it has asked for all that it asks for.
        for _ in 0..<20 where first != before {
            let lists = server.count("/v1/site.json") + 10
            try await wait("ten more lists") { server.count("/v1/site.json") >= lists }
            (before, first) = (first, counts())
        }
        // One that had to wait for another's room may be asked for twice.
        #expect(first == before && first.allSatisfy { (1...2).contains($0) }, "\(first)")
        let summary = try await bench.sync.syncAll()
        #expect(summary.failed.count == 4 && summary.failed.allSatisfy { $0.error.code == .quota })
        #expect(counts() == first)
        await bench.sync.shutdown()
    }

    @Test("the quota counts manifests and unfinished files too")
    func quotaCounts() async throws {
        var site = try ContentSite()
        for room in 0..<40 {
            // Long manifests of tiny files.
            site.pages[.beacon(beacon(room))] = .init(
                name: String(repeating: "n", count: 20_000), images: [image(room, bytes: 10)])
        }
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) { $0.quotaBytes = 1_200_000 }
        try FileManager.default.createDirectory(
            atPath: "\(bench.store.directory)/partial", withIntermediateDirectories: true)
        try Data(count: 100_000).write(
            to: URL(fileURLWithPath: "\(bench.store.directory)/partial/\(asset(999).sha256)"))
        let summary = try await bench.sync.syncAll()
        #expect(
            summary.failed.allSatisfy { $0.error.code == .quota } && !summary.failed.isEmpty && !summary.new.isEmpty)
        let used = try FileManager.default.subpathsOfDirectory(atPath: bench.store.directory).reduce(0) { sum, path in
            let file = "\(bench.store.directory)/\(path)"
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            return attributes[.type] as? FileAttributeType == .typeRegular
                ? sum + (attributes[.size] as? Int ?? 0) : sum
        }
        #expect(used <= 1_200_000 + 100_000, "\(used) bytes")
        await bench.sync.shutdown()
    }

    @Test("four files that trickle hold nobody else up")
    func fourFiles() async throws {
        let site = try museum(6)
        let slow = Set((1...4).map { "/v1/assets/\(asset($0).sha256)" })
        let server = try RawServer { path, _ in
            if slow.contains(path) {
                return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n".utf8)), .trickle]
            }
            guard let data = FileManager.default.contents(atPath: site.folder + path) else { return [.notFound] }
            return [.answer("200 OK", Array(data))]
        }
        // Those that trickle bring 20 bytes a second, the others 5000 as soon as this machine lets them.
        let bench = try Bench(server.baseURL) {
            $0.throughputWindow = .seconds(5)
            $0.leastThroughput = 50
        }
        let pass = Task { try await bench.sync.syncAll() }
        try await wait("all four") { slow.allSatisfy { server.count($0) > 0 } }
        await bench.sync.want(beacon(0))
        _ = try await bench.log.ready()
        #expect(complete(bench, 0))
        let summary = try await pass.value
        #expect(summary.failed.count == 4 && summary.failed.allSatisfy { $0.error.code == .slow }, "\(summary)")
        #expect(complete(bench, 5) && summary.untried == 0)
        await bench.sync.shutdown()
    }

    @Test("what is damaged is found, removed and fetched again")
    func whatIsDamaged() async throws {
        let site = try museum(4)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        let path = try #require(bench.store.assetPath(asset(2).sha256))
        try Data(asset(2, bytes: 5000).data.reversed()).write(to: URL(fileURLWithPath: path))
        #expect(throws: ContentError.self) { try bench.store.verify(repair: true) }
        let found = try bench.store.verify()
        #expect(found.damagedAssets.map(\.description) == [asset(2).sha256] && !found.isRepaired && !found.isClean)
        #expect(found.assets == 4 && found.bytes == 20_000 && found.missingAssets.isEmpty)
        let report = try await bench.sync.verify()
        #expect(report.isRepaired && report.damagedAssets == found.damagedAssets)
        #expect(bench.store.assetPath(asset(2).sha256) == nil)
        #expect(try await bench.sync.syncAll().updated == [.beacon(beacon(2))])
        #expect(try bench.store.verify().isClean)
        await bench.sync.shutdown()
        #expect(try bench.store.verify(repair: true).isClean)
        try Data("x".utf8).write(to: URL(fileURLWithPath: path).deletingLastPathComponent()
            .appendingPathComponent(path.suffix(64).prefix(2) + String(repeating: "0", count: 62)))
        #expect(try bench.store.prune().assets == 1)
    }

    @Test("a manifest or a list that is missing is told, and fetched again")
    func whatIsMissing() async throws {
        let site = try museum(4)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        #expect(try bench.store.verify().isComplete)
        let manifest = try #require(bench.store.content(for: beacon(2))?.manifestPath)
        try FileManager.default.removeItem(atPath: manifest)
        let found = try bench.store.verify()
        #expect(found.notStored == 1 && found.isComplete)
        #expect(try await bench.sync.syncAll().isComplete)
        #expect(try bench.store.verify().notStored == 0)

        let list = "\(bench.store.directory)/site.json"
        try FileManager.default.removeItem(atPath: list)
        #expect(try bench.store.verify().missingDocuments == [list])
        _ = try await bench.sync.syncAll()
        #expect(try bench.store.verify().isComplete && bench.store.siteList() != nil)
        await bench.sync.shutdown()
    }

    @Test("a manifest that was not fetched yet is not missing")
    func notFetched() async throws {
        let site = try museum(4)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) { $0.prefetch = .off }
        await bench.sync.want(beacon(2))
        _ = try await bench.log.ready()
        #expect(bench.store.siteList()?.entries.count == 4)
        #expect(bench.store.content(for: beacon(1)) == nil && bench.store.content(for: beacon(2)) != nil)
        let found = try bench.store.verify()
        #expect(found.notStored == 3 && found.isComplete)
        await bench.sync.shutdown()
    }

    @Test("a manifest that is missing is fetched again by itself after a verification")
    func missingIsFetched() async throws {
        let site = try museum(4)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.start()
        try await wait("all rooms") { (0..<4).allSatisfy { complete(bench, $0) } }
        let manifest = try #require(bench.store.content(for: beacon(3))?.manifestPath)
        try FileManager.default.removeItem(atPath: manifest)
        #expect(try await bench.sync.verify().notStored == 1)
        try await wait("the room") { complete(bench, 3) }
        await bench.sync.shutdown()
    }

    @Test("what is damaged is fetched again by itself, also when the verification fails after it was removed")
    func verificationThatFails() async throws {
        let site = try museum(4)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.start()
        try await wait("all rooms") { (0..<4).allSatisfy { complete(bench, $0) } }
        let damaged = try #require(bench.store.assetPath(asset(2).sha256))
        let unreadable = try #require(bench.store.content(for: beacon(3))?.manifestPath)
        try Data(asset(2, bytes: 5000).data.reversed()).write(to: URL(fileURLWithPath: damaged))
        try FileManager.default.removeItem(atPath: unreadable)
        // A link to itself can be opened by nobody.
        try FileManager.default.createSymbolicLink(atPath: unreadable, withDestinationPath: unreadable)
        let error = await #expect(throws: ContentError.self) { try await bench.sync.verify() }
        #expect(error?.code == .storage && error?.place == unreadable)
        try await wait("both rooms") { complete(bench, 2) && complete(bench, 3) }
        #expect(bench.store.damagedAssets().isEmpty)
        await bench.sync.shutdown()
    }

    @Test("a walk over the store ends where it is asked to, before it has removed anything")
    func walkOver() async throws {
        let site = try museum(4)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        await bench.sync.shutdown()
        let path = try #require(bench.store.assetPath(asset(2).sha256))
        let unneeded = URL(fileURLWithPath: path).deletingLastPathComponent()
            .appendingPathComponent(path.suffix(64).prefix(2) + String(repeating: "0", count: 62)).path
        try "x".write(toFile: unneeded, atomically: false, encoding: .utf8)
        let ended = ContentError(code: .cancelled, place: "store", cause: "it is ended", remedy: "begin anew")
        var asked = 0
        let error = #expect(throws: ContentError.self) {
            _ = try bench.store.removeUnneeded(keeping: []) { () throws(ContentError) in
                asked += 1
                if asked == 3 { throw ended }
            }
        }
        #expect(error?.code == .cancelled && asked == 3)
        #expect(FileManager.default.fileExists(atPath: unneeded))
        #expect(try bench.store.prune().assets == 1)
    }

    @Test("nothing is removed while a manifest cannot be read: nobody knows what it needs")
    func unreadable() async throws {
        let site = try museum(4)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        await bench.sync.shutdown()
        let path = try #require(bench.store.content(for: beacon(2))?.manifestPath)
        try FileManager.default.removeItem(atPath: path)
        // A link to itself can be opened by nobody.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        let error = #expect(throws: ContentError.self) { _ = try bench.store.prune() }
        #expect(error?.code == .storage && error?.place == path)
        #expect(bench.store.assetPath(asset(2).sha256) != nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(try bench.store.prune().assets == 1)
    }

    @Test("states for people")
    func statesForPeople() async throws {
        let site = try museum(3, bytes: 2_000_000)
        let nginx = try Nginx(serving: site.folder, directives: "limit_rate 60k;")
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(beacon(1))
        _ = try await bench.log.next("progress") {
            if case .progress(_, let progress) = $0 { progress.bytes > 200_000 } else { false }
        }
        await bench.sync.shutdown()
        let now = ContentTime.system.now()
        let states = bench.store.states(now: now)
        #expect(states.map(\.name) == ["Room 0", "Room 1", "Room 2"])
        #expect(states[0].state == .missing)
        guard case .partial(let percent) = states[1].state else {
            Issue.record("\(states[1])")
            return
        }
        #expect((10..<100).contains(percent) && states[1].bytes == 2_000_000)
        nginx.stop()
        let fast = try Nginx(serving: site.folder)
        let again = try Bench(fast.baseURL, directory: bench.store.directory)
        let summary = try await again.sync.syncAll()
        #expect(summary.transferredBytes < 6_000_000 - Int64(percent) * 19_000, "continued")
        await again.sync.shutdown()
        #expect(again.store.states(now: ContentTime.system.now()).map(\.state) == [.complete, .complete, .complete])
        let later = Timestamp(microseconds: now.microseconds + 7200 * 1_000_000)
        guard case .stale(since: .some) = again.store.states(now: later)[0].state else {
            Issue.record("not stale")
            return
        }
    }

    @Test("without a network everything works, and its return is used")
    func withoutNetwork() async throws {
        var site = try museum(3)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        await bench.sync.shutdown()
        nginx.stop()
        let offline = try Bench(nginx.baseURL, directory: bench.store.directory)
        await offline.sync.start()
        await offline.sync.want(beacon(1))
        #expect(try await offline.log.failure().stillHasOld)
        #expect((0..<3).allSatisfy { complete(offline, $0) })
        #expect(offline.store.content(for: beacon(1))?.validatedAt != nil)
        await #expect(throws: ContentError.self) { try await offline.sync.syncAll() }
        site.pages[.beacon(beacon(9))] = .init(name: "New", images: [image(9)])
        try site.publish()
        try nginx.start()
        try await wait("the new room") { complete(offline, 9) }
        await offline.sync.shutdown()
    }

    @Test("a corrupted asset is never visible for an instant")
    func corruptedAsset() async throws {
        let good = asset(1, bytes: 400_000)
        var bad = good.data
        bad[399_999] ^= 1
        let manifest = #"{"format":1,"images":[{"id":"1","asset":{"sha256":"\#(good.sha256)","bytes":400000}}]}"#
        // Until somebody has looked often enough.
        let looks = Atomic(0)
        let server = try RawServer { [bad] path, count in
            switch path {
            case FaultTests.manifestPath: [.answer("200 OK", Array(manifest.utf8))]
            case "/v1/assets/\(good.sha256)":
                [.answer("200 OK", count < 20 || looks.load(ordering: .relaxed) < 100 ? bad : good.data)]
            default: [.notFound]
            }
        }
        let bench = try Bench(server.baseURL)
        let reader = Task { [directory = bench.store.directory] in
            let store = try ContentStore(directory: directory)
            while !Task.isCancelled {
                looks.add(1, ordering: .relaxed)
                if let path = store.assetPath(good.sha256) {
                    #expect(FileManager.default.contents(atPath: path).map(Array.init) == good.data)
                }
                if let content = store.content(for: hall) { #expect(content.missing == 0) }
                await Task.yield()
            }
        }
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        reader.cancel()
        try await reader.value
        #expect(server.count("/v1/assets/\(good.sha256)") > 20)
        await bench.sync.shutdown()
    }
}
