import Beacon
import Content
import Foundation
import SiteFormat
import Testing
import TestSupport
import Text

/// Against a real nginx that serves a site as plain files.
@Suite(
    .enabled(if: Nginx.program != nil, "nginx is not installed (apt-get install nginx-light, or set NGINX)"),
    .timeLimit(.minutes(10)))
struct NginxTests {
    /// Two beacons, one manifest for the rest of the UUID, and one for "no beacon near".
    func museum() throws -> ContentSite {
        var site = try ContentSite()
        let shared = asset(100)
        site.pages[.beacon(hall)] = .init(name: "Hall", images: [image(1, bytes: 700_000, gallery: [shared]), image(2)])
        site.pages[.beacon(shop)] = .init(name: "Shop", images: [image(3, gallery: [shared])])
        site.pages[.uuid(hall.uuid)] = .init(name: "Museum", images: [image(4)])
        site.pages[.uncategorized] = .init(images: [image(5)])
        return site
    }

    @Test("first walk fetches all, second walk gives only 304s", arguments: [true, false])
    func firstWalk(hasList: Bool) async throws {
        var site = try museum()
        site.hasList = hasList
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        let walk: [BeaconID?] = [hall, shop, attic, nil]

        for beacon in walk {
            await bench.sync.want(beacon)
            _ = try await bench.log.ready()
        }
        let targets: [ContentSite.Target] = [.beacon(hall), .beacon(shop), .uuid(hall.uuid), .uncategorized]
        for (beacon, target) in zip(walk, targets) {
            let expected = site.pages[target]?.images.flatMap { [$0.asset] + $0.gallery } ?? []
            #expect(
                try bench.files(beacon)
                    == Dictionary(expected.map { ($0.sha256, $0.data) }, uniquingKeysWith: { first, _ in first }))
            let stored = try #require(bench.store.content(for: beacon))
            #expect(stored.missing == 0 && stored.assets == expected.count && stored.beacon == beacon)
            #expect(FileManager.default.contentsEqual(atPath: stored.manifestPath, andPath: site.file(of: target)))
            #expect(stored.validatedAt != nil)
        }
        #expect(try bench.store.list().map(\.name) == ["Museum", "Hall", "Shop", nil])
        #expect(bench.store.damagedAssets().isEmpty)

        let first = try nginx.requests()
        let assets = first.filter { $0.path.hasPrefix("/v1/assets/") }
        #expect(assets.count == 6, "the shared asset is fetched once")
        #expect(assets.allSatisfy { $0.status == 200 })

        for beacon in walk {
            await bench.sync.want(beacon)
            let summary = try await bench.log.ready()
            #expect(summary.unchanged && summary.fetchedAssets == 0)
        }
        let second = try nginx.requests()[first.count...]
        #expect(second.allSatisfy { !$0.path.hasPrefix("/v1/assets/") })
        if hasList {
            #expect(second.map(\.status) == [304, 304, 304, 304])
        } else {
            // Less exact manifests are found behind two 404s; what is found is not sent again.
            #expect(second.filter { $0.status != 404 }.map(\.status) == [304, 304, 304, 304])
            #expect(second.filter { $0.status == 404 }.count == 2)
        }

        await bench.sync.shutdown()
        // A new process revalidates with what is on the disk.
        let again = try Bench(nginx.baseURL, directory: bench.store.directory)
        await again.sync.want(hall)
        #expect(try await again.log.ready().unchanged)
        let third = try nginx.requests()[(first.count + second.count)...]
        #expect(third.filter { $0.status != 404 }.map(\.status) == [304])
        await again.sync.shutdown()
        try await again.log.end()
        #expect(try again.leftovers().isEmpty)
    }

    @Test("a beacon without a manifest has nothing, not the uncategorized content")
    func beaconWithout() async throws {
        var site = try museum()
        site.pages[.uuid(hall.uuid)] = nil
        for hasList in [true, false] {
            site.hasList = hasList
            try site.publish()
            let nginx = try Nginx(serving: site.folder)
            let bench = try Bench(nginx.baseURL)
            await bench.sync.want(attic)
            try await bench.log.nothing()
            #expect(bench.store.content(for: attic) == nil)
            await bench.sync.want(nil)
            _ = try await bench.log.ready()
            #expect(bench.store.content(for: attic) == nil)
            #expect(bench.store.content(for: nil)?.scope == .uncategorized)
            await bench.sync.shutdown()
        }
    }

    @Test("changed and deleted manifests are picked up")
    func changedAndDeleted() async throws {
        for hasList in [true, false] {
            var site = try museum()
            site.hasList = hasList
            site.pages[.uuid(hall.uuid)] = nil
            try site.publish()
            let nginx = try Nginx(serving: site.folder)
            let bench = try Bench(nginx.baseURL)
            await bench.sync.want(hall)
            _ = try await bench.log.ready()

            site.pages[.beacon(hall)]?.images.append(image(7))
            try site.publish()
            await bench.sync.want(hall)
            let summary = try await bench.log.ready()
            #expect(!summary.unchanged && summary.fetchedAssets == 1 && summary.fetchedBytes == 5000)
            #expect(bench.store.content(for: hall)?.manifest.images.count == 3)

            site.pages[.beacon(hall)] = nil
            try site.publish()
            await bench.sync.want(hall)
            if hasList {
                try await bench.log.nothing()
                #expect(bench.store.content(for: hall) == nil)
                #expect(try bench.store.list().isEmpty)
            } else {
                // What is not there any more may be there again in a minute.
                let (error, stillHasOld) = try await bench.log.failure()
                #expect(error.code == .refused && stillHasOld, "\(error)")
            }
            await bench.sync.shutdown()
        }
    }

    @Test("a server that stops is told once, old content stays, its return is noticed")
    func serverThatStops() async throws {
        var site = try museum()
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        nginx.stop()

        await bench.sync.want(hall)
        let (error, stillHasOld) = try await bench.log.failure()
        #expect(error.code == .connection && stillHasOld)
        #expect(error.description.contains("site.json"))
        await bench.sync.want(shop)
        let waiting = try await bench.log.next("waiting") { if case .waiting = $0 { true } else { false } }
        guard case .waiting(shop, stillHasOld: false) = waiting else {
            Issue.record("\(waiting)")
            return
        }
        #expect(bench.store.content(for: hall)?.missing == 0)
        #expect(try bench.store.list().count == 1)

        try nginx.start()
        try await bench.log.recovered()
        #expect(try await bench.log.ready().name == "Shop")
        await bench.log.expectFailures(1)
        await bench.sync.want(hall)
        #expect(try await bench.log.ready().unchanged)
        await bench.log.expectFailures(1)
        await bench.sync.shutdown()
    }

    @Test("a wrong file is never visible, and the old content stays")
    func wrongFile() async throws {
        var site = try museum()
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(shop)
        _ = try await bench.log.ready()
        let before = try bench.files(shop)

        let wrong = image(8)
        site.pages[.beacon(shop)]?.images.append(wrong)
        try site.publish()
        try Data(asset(9).data).write(to: URL(fileURLWithPath: site.file(of: wrong.asset)))
        await bench.sync.want(shop)
        let (error, stillHasOld) = try await bench.log.failure()
        #expect(error.code == .hash && stillHasOld)
        #expect(try bench.files(shop) == before)
        #expect(bench.store.assetPath(wrong.asset.sha256) == nil)
        #expect(bench.store.damagedAssets().isEmpty)
        try await bench.waitForNoLeftovers()

        // Mended on the server: found by the retries, without anybody asking.
        try Data(wrong.asset.data).write(to: URL(fileURLWithPath: site.file(of: wrong.asset)), options: .atomic)
        try await bench.log.recovered()
        #expect(try await bench.log.ready().fetchedAssets == 1)
        #expect(try bench.files(shop).count == before.count + 1)
        await bench.log.expectFailures(1)
        await bench.sync.shutdown()
    }

    @Test("a wrong manifest is refused by the list's hash")
    func wrongManifest() async throws {
        var site = try museum()
        try site.publish()
        let file = URL(fileURLWithPath: site.file(of: .beacon(hall)))
        try Data(#"{"format":1,"beacon":null,"images":[]}"#.utf8).write(to: file)
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(hall)
        let (error, stillHasOld) = try await bench.log.failure()
        #expect(error.code == .hash && !stillHasOld)
        #expect(bench.store.content(for: hall) == nil)
        await bench.sync.shutdown()
    }

    @Test("a file larger than promised is refused before it is kept")
    func fileLarger() async throws {
        var site = try museum()
        try site.publish()
        let large = try #require(site.pages[.beacon(shop)]?.images.first?.asset)
        try Data(count: 3_000_000).write(to: URL(fileURLWithPath: site.file(of: large)))
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(shop)
        let (error, _) = try await bench.log.failure()
        #expect(error.code == .tooLarge)
        #expect(error.description.contains("3000000") && error.description.contains("5000"))
        #expect(bench.store.content(for: shop) == nil)
        await bench.sync.shutdown()
    }

    @Test("too many images, too large assets and documents are refused with their limits")
    func tooMany() async throws {
        var site = try ContentSite()
        site.pages[.beacon(hall)] = .init(name: "Hall", images: (0..<26).map { image($0, bytes: 100) })
        site.pages[.beacon(shop)] = .init(name: "Shop", images: [image(1, bytes: 60_000)])
        site.pages[.beacon(attic)] = .init(name: "Attic", images: (0..<25).map { image($0, bytes: 5000) })
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) {
            $0.maximumAssetBytes = 50_000
            $0.maximumContentBytes = 100_000
        }
        for (beacon, part) in [(hall, "26 images, at most 25"), (shop, "at most 50000"), (attic, "at most 100000")] {
            await bench.sync.want(beacon)
            let (error, _) = try await bench.log.failure()
            #expect(error.code == .tooLarge && error.description.contains(part), "\(error)")
        }
        #expect(try nginx.requests().allSatisfy { !$0.path.hasPrefix("/v1/assets/") })
        await bench.sync.shutdown()

        let small = try Bench(nginx.baseURL) { $0.maximumSiteListBytes = 100 }
        await small.sync.want(hall)
        #expect(try await small.log.failure().error.code == .tooLarge)
        await small.sync.shutdown()

        let wide = try Bench(nginx.baseURL) { $0.maximumImages = 26 }
        await wide.sync.want(hall)
        #expect(try await wide.log.ready().assets == 26)
        await wide.sync.shutdown()
    }

    @Test("redirects stay on the host")
    func redirectsStay() async throws {
        var site = try museum()
        try site.publish()
        let other = try Nginx(serving: site.folder)
        let nginx = try Nginx(
            serving: site.folder,
            directives: """
                location /near/ { rewrite ^/near/(.*)$ /$1 redirect; }
                location /far/ { return 302 http://localhost:\(other.port)$request_uri; }
                location /round/ { return 302 $request_uri; }
                """)
        let near = try Bench("\(nginx.baseURL)/near", token: "secret")
        await near.sync.want(hall)
        _ = try await near.log.ready()
        #expect(try nginx.requests().allSatisfy { $0.authorization == "Bearer secret" })
        await near.sync.shutdown()
        for path in ["far", "round"] {
            let bench = try Bench("\(nginx.baseURL)/\(path)", token: "secret")
            await bench.sync.want(hall)
            let error = try await bench.log.failure().error
            #expect(error.code == .redirect)
            #expect(error.remedy.contains("content.redirect_hosts") == (path == "far"), "\(error)")
            await bench.sync.shutdown()
        }
        #expect(try other.requests().isEmpty)
    }

    @Test("the token is sent, and its lack is told")
    func tokenIsSent() async throws {
        var site = try museum()
        try site.publish()
        let nginx = try Nginx(
            serving: site.folder,
            directives: #"location /v1/ { if ($http_authorization != "Bearer abc.DEF") { return 403; } }"#)
        let without = try Bench(nginx.baseURL)
        await without.sync.want(hall)
        let error = try await without.log.failure().error
        #expect(error.code == .refused && error.remedy.contains("token"))
        await without.sync.shutdown()
        let with = try Bench(nginx.baseURL, token: "abc.DEF")
        await with.sync.want(hall)
        _ = try await with.log.ready()
        await with.sync.shutdown()
    }

    @Test("one file for two images and two beacons at once is fetched once")
    func oneFile() async throws {
        var site = try ContentSite()
        let shared = asset(1, bytes: 2_000_000)
        let images = (0..<5).map { ContentSite.Image(id: "\($0)", asset: shared) }
        site.pages[.beacon(hall)] = .init(name: "Hall", images: images)
        site.pages[.beacon(shop)] = .init(name: "Shop", images: images)
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(hall)
        await bench.sync.want(shop)
        _ = try await bench.log.ready()
        _ = try await bench.log.ready()
        let assets = try nginx.requests().filter { $0.path.hasPrefix("/v1/assets/") }
        #expect(assets.count == 1)
        #expect(bench.store.content(for: hall)?.assets == 1)
        await bench.sync.shutdown()
    }

    @Test("a former beacon's content is finished behind that of the next")
    func formerBeacons() async throws {
        var site = try ContentSite()
        site.pages[.beacon(hall)] = .init(name: "Hall", images: (0..<20).map { image($0, bytes: 200_000) })
        site.pages[.beacon(shop)] = .init(name: "Shop", images: [image(50)])
        try site.publish()
        // 40 kB/s a connection: slow enough for the order to be seen, also where this test gets its turn late.
        let nginx = try Nginx(serving: site.folder, directives: "limit_rate 40k;")
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(hall)
        _ = try await bench.log.next("progress") { if case .progress(hall, _) = $0 { true } else { false } }
        await bench.sync.want(shop)
        #expect(try await bench.log.ready().name == "Shop")
        await bench.sync.want(hall)
        let summary = try await bench.log.ready()
        #expect(summary.name == "Hall" && summary.fetchedAssets == 20)
        let requests = try nginx.requests().filter { $0.path.hasPrefix("/v1/assets/") }
        #expect(Set(requests.map(\.path)).count == requests.count)
        await bench.sync.shutdown()
    }

    @Test("a store that lost files gets them back")
    func storeThatLost() async throws {
        var site = try museum()
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(shop)
        _ = try await bench.log.ready()
        let files = try #require(bench.store.content(for: shop)?.files)
        try FileManager.default.removeItem(atPath: files[0])
        try Data("cut".utf8).write(to: URL(fileURLWithPath: files[1]))
        #expect(bench.store.content(for: shop)?.missing == 2)
        await bench.sync.want(shop)
        let summary = try await bench.log.ready()
        #expect(summary.unchanged && summary.fetchedAssets == 2)
        #expect(bench.store.content(for: shop)?.missing == 0)
        await bench.sync.shutdown()
    }

    @Test("a list whose revision goes back is refused")
    func listWhose() async throws {
        var site = try museum()
        try site.publish()
        let old = try Data(contentsOf: URL(fileURLWithPath: "\(site.folder)/v1/site.json"))
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(shop)
        _ = try await bench.log.ready()
        try site.write(old, to: "site.json")
        await bench.sync.want(shop)
        let (error, stillHasOld) = try await bench.log.failure()
        #expect(error.code == .rollback && stillHasOld)
        await bench.sync.shutdown()
    }

    @Test("shutting down in the middle keeps what is complete")
    func shuttingDown() async throws {
        var site = try ContentSite()
        site.pages[.beacon(hall)] = .init(name: "Hall", images: (0..<20).map { image($0, bytes: 200_000) })
        try site.publish()
        let nginx = try Nginx(serving: site.folder, directives: "limit_rate 40k;")
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(hall)
        _ = try await bench.log.next("a complete asset") {
            if case .progress(_, let progress) = $0 { progress.assets >= 2 } else { false }
        }
        await bench.sync.shutdown()
        try await bench.log.end()
        #expect(bench.store.content(for: hall) == nil)
        #expect(try bench.leftovers().isEmpty)
        let fast = try Nginx(serving: site.folder)
        let again = try Bench(fast.baseURL, directory: bench.store.directory)
        await again.sync.want(hall)
        #expect(try await again.log.ready().fetchedAssets <= 18)
        #expect(again.store.damagedAssets().isEmpty)
        await again.sync.shutdown()
    }

    @Test("while a beacon stays the nearest, changes are found, and only they are told")
    func whileBeacon() async throws {
        var site = try museum()
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL) { $0.revalidationInterval = .milliseconds(50) }
        await bench.sync.want(shop)
        _ = try await bench.log.ready()
        site.pages[.beacon(shop)]?.images.append(image(7))
        try site.publish()
        #expect(try await bench.log.ready().fetchedAssets == 1)
        await bench.sync.shutdown()
        try await bench.log.end()
        let told = await bench.log.all.count { if case .progress = $0 { false } else { true } }
        #expect(told == 3, "started, ready, ready")
    }
}
