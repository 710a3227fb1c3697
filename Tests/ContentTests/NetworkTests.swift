import Beacon
import Content
import Foundation
import Glibc
import SiteFormat
import TestSupport
import Testing

/// Proxies, other hosts, compression, and a disk without space.
@Suite(
    .enabled(if: Nginx.program != nil, "nginx is not installed (apt-get install nginx-light, or set NGINX)"),
    .timeLimit(.minutes(10)))
struct NetworkTests {
    func site() throws -> ContentSite {
        var site = try ContentSite()
        site.pages[.beacon(hall)] = .init(name: "Hall", images: (0..<20).map { image($0) })
        try site.publish()
        return site
    }

    @Test("documents come compressed, assets as they are")
    func documentsCome() async throws {
        let nginx = try Nginx(
            serving: try site().folder, directives: "gzip on; gzip_types *; gzip_min_length 100; gzip_proxied any;")
        let bench = try Bench(nginx.baseURL)
        await bench.sync.want(hall)
        #expect(try await bench.log.ready().fetchedAssets == 20)
        let manifest = try #require(try nginx.requests().first { $0.path.contains("/beacons/") })
        let path = try #require(bench.store.content(for: hall)?.manifestPath)
        let bytes = try #require(FileManager.default.contents(atPath: path)).count
        #expect(manifest.bytes < bytes)
        #expect(try nginx.requests().filter { $0.path.contains("/assets/") }.allSatisfy { $0.bytes == 5000 })
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        #expect(try nginx.requests().last?.status == 304)
        await bench.sync.shutdown()
    }

    @Test("a compressed document has the same limit")
    func compressedDocument() async throws {
        var site = try site()
        for minor in 0..<300 {
            let beacon = BeaconID(uuid: hall.uuid, major: 3, minor: UInt16(minor))
            site.pages[.beacon(beacon)] = .init(name: "", images: [])
        }
        try site.publish()
        let nginx = try Nginx(serving: site.folder, directives: "gzip on; gzip_types *; gzip_comp_level 9;")
        let bench = try Bench(nginx.baseURL) {
            $0.maximumSiteListBytes = 40_000
            $0.maximumManifestBytes = 40_000
        }
        await bench.sync.want(hall)
        #expect(try await bench.log.failure().error.code == .tooLarge)
        await bench.sync.shutdown()
    }

    @Test("a proxy is used where it is set, and not for what is excepted")
    func proxyIsUsed() async throws {
        let nginx = try Nginx(serving: try site().folder)
        // It refuses tunnels, which shows that it was asked for one.
        let proxy = try RawServer { _, _ in [.answer("403 Forbidden")] }
        for (bypass, isUsed) in [("", true), ("127.0.0.1", false)] {
            let settings = try #require(
                try ProxySettings(environment: ["http_proxy": proxy.baseURL, "no_proxy": bypass]))
            let bench = try Bench(nginx.baseURL) { $0.proxy = settings }
            await bench.sync.want(hall)
            if isUsed {
                #expect(try await bench.log.failure().error.code == .connection)
                #expect(proxy.count("127.0.0.1:\(nginx.port)") > 0)
                #expect(try nginx.requests().isEmpty)
            } else {
                _ = try await bench.log.ready()
            }
            await bench.sync.shutdown()
        }
    }

    @Test("a proxy that cannot be reached is named")
    func proxyIsAway() async throws {
        let port = try freePort()
        let proxy = try ProxySettings.Server("http://127.0.0.1:\(port)")
        let bench = try Bench("http://site.invalid") { $0.proxy = ProxySettings(http: proxy) }
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.cause == "the proxy 127.0.0.1:\(port): connection refused", "\(error)")
        #expect(error.remedy.contains("content.proxy"))
        await bench.sync.shutdown()
    }

    @Test("a proxy that takes too long is named, and not for what is reached without it", arguments: ["", "127.0.0.1"])
    func proxyIsSilent(bypass: String) async throws {
        let proxy = try RawServer { _, _ in [.stall] }
        let site = try RawServer { _, _ in [.stall] }
        let settings = try ProxySettings(environment: ["http_proxy": proxy.baseURL, "no_proxy": bypass])
        let bench = try Bench(site.baseURL) {
            $0.proxy = settings
            $0.connectTimeout = .milliseconds(200)
            $0.idleTimeout = .milliseconds(200)
        }
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.code == .timeout && error.place.hasPrefix(site.baseURL), "\(error)")
        #expect(error.cause.contains("the proxy 127.0.0.1:\(proxy.port)") == bypass.isEmpty, "\(error)")
        #expect(error.remedy.contains("content.proxy") == bypass.isEmpty, "\(error)")
        await bench.sync.shutdown()
    }

    @Test(
        "what is no address of a proxy is refused",
        arguments: ["http://x:0", "http://x:70000", "http://x?y", "http://x/y", "https://x", "http://", ""])
    func noProxy(text: String) {
        #expect(throws: ContentError.self) { try ProxySettings.Server(text) }
    }

    @Test("proxy variables are read as curl does")
    func proxyVariables() throws {
        #expect(try ProxySettings(environment: ["HTTP_PROXY": "http://x:1"]) == nil)
        let settings = try #require(
            try ProxySettings(environment: ["https_proxy": "u:p@h:8080", "NO_PROXY": "a.org, .b.org,c:80"]))
        #expect(settings.https?.host == "h" && settings.https?.port == 8080 && settings.https?.user == "u")
        for (host, expected) in [("a.org", true), ("x.a.org", true), ("xa.org", false), ("y.b.org", true)] {
            #expect(settings.isBypassed(host: host, port: 443) == expected)
        }
        #expect(settings.isBypassed(host: "c", port: 80) && !settings.isBypassed(host: "c", port: 81))
        #expect(throws: ContentError.self) { try ProxySettings(environment: ["https_proxy": "socks5://x"]) }
    }

    @Test("redirects to an allowed host are followed, without the token")
    func redirectsToAllowed() async throws {
        let site = try site()
        let other = try Nginx(serving: site.folder)
        let nginx = try Nginx(
            serving: site.folder,
            directives: "location /v1/assets/ { return 302 http://localhost:\(other.port)$request_uri; }")
        let bench = try Bench(nginx.baseURL, token: "secret") { $0.allowedRedirectHosts = ["localhost"] }
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        let requests = try other.requests()
        #expect(requests.count == 20 && requests.allSatisfy { $0.authorization == "-" })
        await bench.sync.shutdown()
    }

    @Test("unusable certificates and pins are told")
    func unusableCertificates() throws {
        for adjust: (inout ContentSettings) -> Void in [
            { $0.authorityFile = "/nonexistent.pem" }, { $0.pinnedKeys = ["abc"] },
        ] {
            let error = #expect(throws: ContentError.self) { _ = try Bench("https://127.0.0.1", adjust: adjust) }
            #expect(error?.code == .settings)
        }
    }

    /// A file system of the test's own takes a right that not every container gives.
    private static let canMount: Bool = {
        guard let folder = try? temporaryFolder("mount") else { return false }
        return mount(folder, "") && umount(folder) == 0
    }()

    @Test(
        "a full disk is told, loses nothing, and goes on when there is space",
        .enabled(if: canMount, "no right to mount a tmpfs"))
    func fullDisk() async throws {
        let folder = try temporaryFolder("small")
        try #require(Self.mount(folder, "size=400k"))
        defer { umount2(folder, Int32(MNT_DETACH)) }
        var site = try ContentSite()
        site.pages[.beacon(shop)] = .init(name: "Shop", images: [image(1)])
        site.pages[.beacon(hall)] = .init(name: "Hall", images: [image(2, bytes: 200_000), image(3, bytes: 250_000)])
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL, directory: "\(folder)/store")
        await bench.sync.want(shop)
        _ = try await bench.log.ready()
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.code == .diskFull && error.remedy.contains("free space"), "\(error)")
        #expect(bench.store.content(for: shop)?.missing == 0 && bench.store.content(for: hall) == nil)
        #expect(Self.mount(folder, "size=4m", Int(MS_REMOUNT)))
        try await bench.log.recovered()
        _ = try await bench.log.ready()
        #expect(try bench.store.verify().isClean)
        await bench.sync.shutdown()
    }

    @Test(
        "on a full disk nothing is fetched any more, which is told once, and it goes on when there is room",
        .enabled(if: canMount, "no right to mount a tmpfs"))
    func onFull() async throws {
        let folder = try temporaryFolder("full")
        try #require(Self.mount(folder, "size=4m"))
        defer { umount2(folder, Int32(MNT_DETACH)) }
        var site = try ContentSite()
        for minor in 0..<60 {
            let beacon = BeaconID(uuid: hall.uuid, major: 5, minor: UInt16(minor))
            site.pages[.beacon(beacon)] = .init(
                name: "\(minor)", images: (0..<5).map { image(minor * 5 + $0, bytes: 20_000) })
        }
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL, directory: "\(folder)/store")
        let told = await SiteEventLog(bench.sync.siteEvents)
        await bench.sync.start()
        // Not what the status says: content that does not fit beside what is on its way is a problem, too.
        try await waitUntil("the disk is full") { await told.fullDisks > 0 }
        // What still fits is fetched; then nothing is asked for, though tries would be due every 0.2 s.
        var counts = [-1, try nginx.requests().count]
        while counts.count < 30, counts.last != counts[counts.count - 2] {
            try await Task.sleep(for: .seconds(2))
            counts.append(try nginx.requests().count)
        }
        #expect(counts.count < 30, "\(counts)")
        // Nothing twice, and no more than fits but for what was on its way.
        let assets = try nginx.requests().map(\.path).filter { $0.contains("/assets/") }
        let settings = try ContentSettings(baseURL: nginx.baseURL, directory: folder)
        #expect(assets.count <= (4 << 20) / 20_000 + settings.parallelTransfers, "\(assets.count)")
        #expect(Set(assets).count == assets.count)
        #expect(try bench.store.verify().isClean)
        #expect(Self.mount(folder, "size=64m", Int(MS_REMOUNT)))
        var states = bench.sync.statuses.makeAsyncIterator()
        while let status = await states.next(), status.problem != nil || status.fetchedFiles < 300 {}
        try await waitUntil("all is complete") {
            bench.store.states(now: ContentTime.system.now()).allSatisfy { $0.state == .complete }
        }
        await bench.sync.shutdown()
        await told.end()
        let events = await told.all
        #expect(await told.fullDisks == 1, "\(events)")
    }

    @Test(
        "however much begins at the same time, what is to stay free on the disk stays free",
        .enabled(if: canMount, "no right to mount a tmpfs"))
    func freeStaysFree() async throws {
        let folder = try temporaryFolder("reserve")
        try #require(Self.mount(folder, "size=4m"))
        defer { umount2(folder, Int32(MNT_DETACH)) }
        var site = try ContentSite()
        for minor in 0..<12 {
            let beacon = BeaconID(uuid: hall.uuid, major: 5, minor: UInt16(minor))
            site.pages[.beacon(beacon)] = .init(name: "\(minor)", images: [image(minor, bytes: 400_000)])
        }
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL, directory: "\(folder)/store")
        let summary = try await bench.sync.syncAll()
        #expect(summary.failed.contains { $0.error.code == .diskFull })
        var status = statvfs()
        let asked = statvfs(folder, &status)
        // A twentieth stays free, but for what small files take beyond their size.
        #expect(asked == 0 && Int64(status.f_bavail) * Int64(status.f_frsize) >= (4 << 20) / 40)
        await bench.sync.shutdown()
    }

    @Test("what goes wrong below HTTP is said in words")
    func whatGoes() async throws {
        let plain = try Nginx(serving: try temporaryFolder("plain"))
        let bench = try Bench(plain.baseURL.replacing("http:", with: "https:"))
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.cause == "what answers there does not speak TLS", "\(error)")
        await bench.sync.shutdown()
        let odd = try RawServer { _, _ in [.send(Array("SSH-2.0-OpenSSH\r\n\r\n".utf8))] }
        let other = try Bench(odd.baseURL)
        await other.sync.want(hall)
        let second = try await other.log.failure().error
        #expect(second.cause == "what answers there does not speak HTTP", "\(second)")
        await other.sync.shutdown()
        let nobody = try Bench("http://content.invalid")
        await nobody.sync.want(hall)
        #expect(try await nobody.log.failure().error.cause == "the name content.invalid has no address")
        await nobody.sync.shutdown()
    }

    @Test(
        "a store that cannot be written is read, and the writer says why it cannot be used",
        .enabled(if: canMount, "no right to mount a tmpfs"))
    func storeThatCannot() async throws {
        let folder = try temporaryFolder("read-only")
        try #require(Self.mount(folder, "size=4m"))
        defer { umount2(folder, Int32(MNT_DETACH)) }
        let nginx = try Nginx(serving: try site().folder)
        let bench = try Bench(nginx.baseURL, directory: "\(folder)/store")
        _ = try await bench.sync.syncAll()
        await bench.sync.shutdown()
        #expect(Self.mount(folder, "", Int(MS_REMOUNT) | Int(MS_RDONLY)))
        let store = try ContentStore(reading: "\(folder)/store")
        #expect(store.content(for: hall)?.missing == 0 && store.content(for: hall)?.files.count == 20)
        #expect(store.states(now: ContentTime.system.now()).map(\.state) == [.complete])
        #expect(try store.verify().isClean)
        let error = #expect(throws: ContentError.self) { _ = try Bench(nginx.baseURL, directory: "\(folder)/store") }
        #expect(error?.code == .storage && error?.cause.contains("Read-only") == true, "\(String(describing: error))")
        #expect(error?.remedy.contains("in ReadWritePaths= (sudo systemctl edit beacond), or configure") == true)
        #expect(throws: ContentError.self) { _ = try ContentStore(reading: "\(folder)/none") }
    }

    /// mount(2) of a tmpfs: no program is waited for on a thread that all tests share.
    private static func mount(_ folder: String, _ options: String, _ flags: Int = 0) -> Bool {
        Glibc.mount("none", folder, "tmpfs", UInt(flags), options) == 0
    }
}
