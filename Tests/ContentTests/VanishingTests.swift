import Beacon
import Content
import Foundation
import SiteFormat
import TestSupport
import Testing

/// Content never vanishes by mistake: what the site does not say is no reason to remove anything.
@Suite(
    .enabled(if: Nginx.program != nil, "nginx is not installed (apt-get install nginx-light, or set NGINX)"),
    .timeLimit(.minutes(10)))
struct VanishingTests {
    func museum(_ rooms: Int = 7) throws -> ContentSite {
        var site = try ContentSite()
        for room in 0..<rooms {
            site.pages[.beacon(beacon(room))] = .init(name: "Room \(room)", images: [image(room)])
        }
        try site.publish()
        return site
    }

    func beacon(_ room: Int) -> BeaconID {
        BeaconID(uuid: hall.uuid, major: 7, minor: UInt16(room))
    }

    func failure(_ bench: Bench, _ accepting: SiteAcceptance = []) async -> ContentError? {
        do {
            _ = try await bench.sync.syncAll(accepting: accepting)
            return nil
        } catch {
            return error
        }
    }

    func complete(_ store: ContentStore) -> Int {
        (0..<20).count { store.content(for: beacon($0))?.missing == 0 }
    }

    /// The next state that fits.
    func status(
        _ states: inout AsyncStream<SiteStatus>.Iterator, _ what: String, _ match: (SiteStatus) -> Bool
    ) async throws -> SiteStatus {
        while let status = await states.next() {
            if match(status) { return status }
        }
        throw EventLog.Missing(description: what)
    }

    @Test("a site that is moved away for a minute loses nothing, not even its revision")
    func siteThatIsMoved() async throws {
        var site = try museum()
        try site.publish()
        let old = try Data(contentsOf: URL(fileURLWithPath: "\(site.folder)/v1/site.json"))
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        var states = bench.sync.statuses.makeAsyncIterator()
        try FileManager.default.moveItem(atPath: "\(site.folder)/v1", toPath: "\(site.folder)/away")
        let error = await failure(bench)
        #expect(error?.code == .noList && error?.remedy.contains("base_url") == true, "\(String(describing: error))")
        let told = try await status(&states, "a problem") { $0.problem != nil }
        #expect(told.revision == 3 && told.problem?.contains("site.json") == true)
        await bench.sync.want(beacon(1))
        #expect(try await bench.log.failure().stillHasOld)
        #expect(complete(bench.store) == 7)
        // Nor does a restart meanwhile.
        await bench.sync.shutdown()
        let again = try Bench(nginx.baseURL, directory: bench.store.directory)
        #expect(await failure(again)?.code == .noList)
        #expect(complete(again.store) == 7)
        try FileManager.default.moveItem(atPath: "\(site.folder)/away", toPath: "\(site.folder)/v1")
        try site.write(old, to: "site.json")
        #expect(await failure(again)?.code == .rollback, "an older list is still refused")
        try site.publish()
        #expect(try await again.sync.syncAll().unchanged == 7)
        await again.sync.shutdown()
    }

    @Test("a base URL that is mistyped removes nothing, and the true one goes on where it was")
    func baseURL() async throws {
        let site = try museum()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        await bench.sync.shutdown()
        let mistyped = try Bench("\(nginx.baseURL)/musuem", directory: bench.store.directory)
        let summary = try await mistyped.sync.syncAll()
        #expect(summary.deleted.isEmpty && summary.failed.count == 7 && !summary.isComplete)
        await mistyped.sync.want(beacon(2))
        #expect(try await mistyped.log.failure().stillHasOld)
        await mistyped.sync.shutdown()
        #expect(complete(bench.store) == 7)
        let right = try Bench(nginx.baseURL, directory: bench.store.directory)
        let count = try nginx.requests().count
        #expect(try await right.sync.syncAll().unchanged == 7)
        #expect(try nginx.requests().count == count + 1)
        await right.sync.shutdown()
    }

    @Test("a store of the version before keeps its list too")
    func storeOfVersion() async throws {
        let site = try museum()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        await bench.sync.shutdown()
        for lost in ["accepted.json", "site.meta"] {
            try FileManager.default.removeItem(atPath: "\(bench.store.directory)/\(lost)")
            try FileManager.default.moveItem(atPath: "\(site.folder)/v1", toPath: "\(site.folder)/away")
            let again = try Bench(nginx.baseURL, directory: bench.store.directory)
            #expect(await failure(again)?.code == .noList)
            #expect(complete(again.store) == 7)
            try FileManager.default.moveItem(atPath: "\(site.folder)/away", toPath: "\(site.folder)/v1")
            await again.sync.shutdown()
        }
    }

    @Test("the list that was accepted last is remembered, though the clock was set back since those of other sites")
    func otherSites() async throws {
        let site = try museum()
        let nginx = try Nginx(serving: site.folder)
        let directory = try temporaryFolder("store")
        let hash = AssetHash(of: [])
        // As many as are kept, accepted in 2096.
        let others = (0..<16).map {
            #""http://other\#($0).example/v1/site.json":{"revision":1,"sha256":"\#(hash)","at":4000000000}"#
        }
        let file = URL(fileURLWithPath: "\(directory)/accepted.json")
        try Data(#"{"lists":{\#(others.joined(separator: ","))}}"#.utf8).write(to: file)
        let bench = try Bench(nginx.baseURL, directory: directory)
        _ = try await bench.sync.syncAll()
        await bench.sync.shutdown()
        let kept = try JSONDecoder().decode(Accepted.self, from: Data(contentsOf: file)).lists
        #expect(kept.count == 16 && kept["\(nginx.baseURL)/v1/site.json"] != nil)
    }

    private struct Accepted: Decodable {
        struct List: Decodable {
            var revision: Int64
        }

        var lists: [String: List]
    }

    @Test("a list that removes more than half waits for a second look, unless it is meant")
    func listThatRemoves() async throws {
        var site = try museum()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) { $0.syncInterval = .seconds(2) }
        _ = try await bench.sync.syncAll()
        // Three of seven are believed at once.
        for room in 0..<3 { site.pages[.beacon(beacon(room))] = nil }
        try site.publish()
        #expect(try await bench.sync.syncAll().deleted.count == 3)
        // Three of four are not.
        for room in 3..<6 { site.pages[.beacon(beacon(room))] = nil }
        try site.publish()
        let error = await failure(bench)
        #expect(error?.code == .removals && error?.cause.contains("3 of the 4") == true, "\(String(describing: error))")
        #expect(error?.remedy.contains("--accept-removals") == true && error?.retryAfter != nil)
        #expect(complete(bench.store) == 4)
        await bench.sync.shutdown()
        // The wait goes on over a restart.
        let again = try Bench(nginx.baseURL, directory: bench.store.directory) { $0.syncInterval = .seconds(2) }
        await again.sync.start()
        // To the end of it, when what only they needed is removed too: one that ends before leaves the rest to the
        // next.
        for await event in again.sync.siteEvents {
            guard case .pruned(let report) = event else { continue }
            #expect(report.assets == 3, "\(report)")
            break
        }
        #expect(complete(again.store) == 1)
        await again.sync.shutdown()
        // And who says that it is meant need not wait.
        site.pages = [:]
        try site.publish()
        let asked = try Bench(nginx.baseURL, directory: bench.store.directory)
        #expect(await failure(asked)?.code == .removals)
        let summary = try await asked.sync.syncAll(accepting: .removals)
        #expect(summary.deleted == [.beacon(beacon(6))], "\(summary)")
        #expect(complete(asked.store) == 0)
        await asked.sync.shutdown()
    }

    @Test("a removal that has waited is made as soon as the list can be stored, and the next one waits again")
    func listThatCannotBeStored() async throws {
        var site = try museum()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) { $0.syncInterval = .seconds(2) }
        _ = try await bench.sync.syncAll()
        for room in 1..<7 { site.pages[.beacon(beacon(room))] = nil }
        try site.publish()
        #expect(await failure(bench)?.code == .removals)
        // While a folder is in its place, no list can be stored.
        let list = URL(fileURLWithPath: "\(bench.store.directory)/site.json")
        let old = try Data(contentsOf: list)
        try FileManager.default.removeItem(at: list)
        try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)
        var error = await failure(bench)
        while error?.code == .removals {
            try await Task.sleep(for: .milliseconds(100))
            error = await failure(bench)
        }
        #expect(error?.code == .storage, "\(String(describing: error))")
        #expect(complete(bench.store) == 7)
        try FileManager.default.removeItem(at: list)
        try old.write(to: list)
        #expect(try await bench.sync.syncAll().deleted.count == 6)
        #expect(complete(bench.store) == 1)
        site.pages = [:]
        try site.publish()
        #expect(await failure(bench)?.code == .removals)
        await bench.sync.shutdown()
    }

    @Test("without a list, what is missing goes when the site goes on to answer")
    func withoutList() async throws {
        var site = try museum(3)
        site.hasList = false
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) { $0.syncInterval = .milliseconds(50) }
        for room in 0..<3 {
            await bench.sync.want(beacon(room))
            _ = try await bench.log.ready()
        }
        try FileManager.default.moveItem(atPath: "\(site.folder)/v1", toPath: "\(site.folder)/away")
        for _ in 0..<3 {
            let summary = try await bench.sync.syncAll()
            #expect(summary.failed.count == 3 && summary.deleted.isEmpty)
            try await Task.sleep(for: .milliseconds(60))
        }
        #expect(complete(bench.store) == 3, "nothing answers: nothing is known to be gone")
        try FileManager.default.moveItem(atPath: "\(site.folder)/away", toPath: "\(site.folder)/v1")
        site.pages[.beacon(beacon(1))] = nil
        try site.publish()
        var deleted: [ContentScope] = []
        for _ in 0..<100 where deleted.isEmpty {
            deleted = try await bench.sync.syncAll().deleted
            try await Task.sleep(for: .milliseconds(60))
        }
        #expect(deleted == [.beacon(beacon(1))] && complete(bench.store) == 2)
        await bench.sync.shutdown()
    }

    @Test("a manifest that the list names and the server does not have is told, and the old one stays")
    func manifestThatList() async throws {
        var site = try museum(3)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        site.pages[.beacon(beacon(1))]?.images = [image(50)]
        try site.publish()
        try FileManager.default.removeItem(atPath: site.file(of: .beacon(beacon(1))))
        let summary = try await bench.sync.syncAll()
        #expect(summary.failed.map(\.scope) == [.beacon(beacon(1))] && summary.deleted.isEmpty)
        #expect(complete(bench.store) == 3)
        await bench.sync.shutdown()
    }

    @Test("one forged revision does not lock the true site out")
    func oneForged() async throws {
        var site = try museum(3)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        _ = try await bench.sync.syncAll()
        let file = URL(fileURLWithPath: "\(site.folder)/v1/site.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        for forged in ["9223372036854775807", "1795250285", "1000002"] {
            try site.write(Data(text.replacing("\"revision\":1", with: "\"revision\":\(forged)").utf8), to: "site.json")
            let error = await failure(bench)
            #expect(
                error?.code == .revision && error?.cause.contains("1000001") == true, "\(String(describing: error))")
        }
        // One revision is one list.
        try site.write(Data((text + " ").utf8), to: "site.json")
        let error = await failure(bench)
        #expect(error?.code == .revision && error?.remedy.contains("--accept-revision") == true)
        try site.publish()
        #expect(try await bench.sync.syncAll().unchanged == 3)
        // Somebody who knows may take it.
        try site.write(Data(text.utf8), to: "site.json")
        #expect(await failure(bench)?.code == .rollback)
        #expect(try await bench.sync.syncAll(accepting: .revision).revision == 1)
        await bench.sync.shutdown()
    }

    @Test("revision and problem are known from the start, and what is fetched in advance is counted")
    func revisionAndProblem() async throws {
        let site = try museum(3)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        var states = bench.sync.statuses.makeAsyncIterator()
        await bench.sync.start()
        let first = try await status(&states, "all of it") { $0.fetchedFiles == 3 }
        #expect(first.fetchedBytes == 15_000 && first.revision == 1 && first.problem == nil)
        await bench.sync.shutdown()
        nginx.stop()
        let offline = try Bench(nginx.baseURL, directory: bench.store.directory)
        var later = offline.sync.statuses.makeAsyncIterator()
        await offline.sync.start()
        let told = try await status(&later, "a problem") { $0.problem != nil }
        #expect(told.revision == 1 && told.problem?.contains("refused") == true, "\(told)")
        try nginx.start()
        await offline.sync.retryNow()
        _ = try await status(&later, "no problem") { $0.problem == nil }
        await offline.sync.shutdown()
    }
}
