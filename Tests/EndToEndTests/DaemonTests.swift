import Beacon
import Foundation
import Testing
import TestSupport

/// beacond with a content site behind a real nginx.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Nginx.program != nil, "nginx is not installed"))
struct DaemonTests {
    /// A site, its server, and a daemon's configuration for it.
    struct Setup {
        var site: ContentSite
        var nginx: Nginx
        var folder: String
        var configuration: String { "\(folder)/beacond.yaml" }

        /// - Parameters:
        ///   - prefetch: what is fetched before it is wanted; off, so that each transfer has its moment.
        ///   - settings: more lines for `content`.
        init(
            _ beacons: [BeaconID], source: String, prefetch: String = "off", signer: ContentSite.Signer? = nil,
            settings: [String] = []
        ) throws {
            site = try ContentSite()
            site.signer = signer
            for (index, beacon) in beacons.enumerated() {
                site.pages[.beacon(beacon)] = .init(
                    name: "Exhibit \(index + 1)",
                    images: [
                        .init(
                            id: "\(index)", asset: Self.asset(UInt8(index + 1)),
                            gallery: [Self.asset(UInt8(100 + index))])
                    ])
            }
            try site.publish()
            nginx = try Nginx(serving: site.folder)
            folder = try temporaryFolder("daemon")
            try """
            sources: ["\(source)"]
            content:
              base_url: \(nginx.baseURL)
              prefetch: \(prefetch)
            \(settings.map { "  \($0)" }.joined(separator: "\n"))
            directories:
              state: \(folder)/state
              cache: \(folder)/cache
            """.write(toFile: configuration, atomically: false, encoding: .utf8)
        }

        static func asset(_ seed: UInt8) -> ContentSite.Asset {
            // Different for every seed, and of a size that takes more than one read.
            ContentSite.Asset(
                (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }, type: "image/png")
        }

        func start(_ arguments: String...) throws -> RunningProgram {
            try RunningProgram(Programs.beacond, ["--config", configuration] + arguments)
        }

        /// Files below the state directory that hold exactly this asset.
        func files(of asset: ContentSite.Asset) -> [String] {
            let all = FileManager.default.enumerator(atPath: "\(folder)/state")?.allObjects as? [String] ?? []
            return all.filter { $0.hasSuffix(asset.sha256) }.map { "\(folder)/state/\($0)" }
                .filter { FileManager.default.contents(atPath: $0) == Data(asset.data) }
        }

        /// Whether all assets of a page are on the disk.
        func has(_ beacon: BeaconID) -> Bool {
            let images = site.pages[.beacon(beacon)]?.images ?? []
            return !images.isEmpty
                && images.flatMap { [$0.asset] + $0.gallery }.allSatisfy { !files(of: $0).isEmpty }
        }

        func cleanUp() {
            nginx.stop()
            try? FileManager.default.removeItem(atPath: folder)
            try? FileManager.default.removeItem(atPath: site.folder)
        }
    }

    /// Lines of the log with a word, without their times.
    static func events(_ word: String, in log: [String]) -> [String] {
        log.filter { $0.contains(" \(word) ") }.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    }

    @Test("a walk through the museum: the nearest changes, its content lands; a second walk fetches nothing again")
    func twoWalks() async throws {
        let museum = try (1...6).map { minor in
            BeaconID(
                uuid: try #require(ProximityUUID("7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096")), major: 1,
                minor: UInt16(minor))
        }
        let setup = try Setup(museum, source: "sim")
        defer { setup.cleanUp() }

        let first = try await setup.start("--walks", "1").wait()
        #expect(first.status == 0, "\(first.errors)")
        let log = first.errors.split(separator: "\n").map(String.init)
        let changes = Self.events("nearest", in: log)
        #expect(Set(changes).count >= 4, "\(changes)")
        #expect(museum.filter(setup.has).count >= 4)
        let before = try setup.nginx.requests()
        let transfers = before.filter { $0.path.hasPrefix("/v1/assets/") }
        #expect(transfers.allSatisfy { $0.status == 200 })
        #expect(Set(transfers.map(\.path)).count == transfers.count, "an asset was fetched twice")

        let second = try await setup.start("--walks", "1").wait()
        #expect(second.status == 0, "\(second.errors)")
        let later = try setup.nginx.requests().dropFirst(before.count)
        // A walk that comes past the same exhibits asks for the same documents, and they have not changed.
        #expect(later.contains { $0.status == 304 && $0.path == "/v1/site.json" })
        let fetched = Set(before.map(\.path))
        #expect(later.allSatisfy { $0.status == 304 || !fetched.contains($0.path) }, "\(later)")
        #expect(later.allSatisfy { !transfers.map(\.path).contains($0.path) }, "\(later)")
    }

    @Test("a site that is down: the last content stays, it is told once, and what changed is fetched afterwards")
    func outage() async throws {
        let beacons = try (1...3).map(Scenarios.beacon)
        let scenario = try TemporaryFolder()
        try Scenarios.walkPast(seconds: 4, exhibits: 3).write(
            toFile: "\(scenario)/three.yaml", atomically: false, encoding: .utf8)
        var setup = try Setup(beacons, source: "sim:\(scenario)/three.yaml")
        defer { setup.cleanUp() }

        let daemon = try setup.start()
        try await daemon.waitUntil("all content has landed") { _ in
            beacons.allSatisfy(setup.has)
        }
        setup.nginx.stop()
        let told = daemon.errorLines.count
        try await daemon.waitUntil("it says that the site is down") {
            $0.errorLines.dropFirst(told).contains { $0.contains("warning") }
        }
        // The visitor passes every exhibit twice, and each time there is an attempt.
        let passed = Self.events("nearest", in: daemon.errorLines).count
        try await daemon.waitUntil("the visitor has passed every exhibit twice") {
            Self.events("nearest", in: $0.errorLines).count >= passed + 2 * beacons.count
        }
        // A busy machine may keep it from hearing anything for a while, which is another matter.
        let warnings = daemon.errorLines.dropFirst(told)
            .filter { $0.contains("warning") || $0.contains("error") }
            .filter { !$0.contains("scanner  blind") && !$0.contains(".yaml lost: ") }
            .map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(Set(warnings).count == warnings.count, "told more than once:\n\(warnings.joined(separator: "\n"))")
        #expect(warnings.filter { !$0.contains("waits until") }.count == 1, "\(warnings)")
        #expect(daemon.status == nil)
        #expect(beacons.allSatisfy(setup.has))

        let new = Setup.asset(200)
        setup.site.pages[.beacon(beacons[1])]?.images[0].asset = new
        try setup.site.publish()
        try setup.nginx.start()
        let after = setup
        try await daemon.waitUntil("it has the new content") { _ in
            !after.files(of: new).isEmpty
        }
        try await daemon.waitUntil("it says that the site is back") { $0.errors.contains("is synced again") }
        #expect(try await daemon.stop().status == 0)
    }

    @Test("with everything fetched in advance, what becomes the nearest is complete before")
    func prefetch() async throws {
        let beacons = try (1...4).map(Scenarios.beacon)
        let scenario = try TemporaryFolder()
        try Scenarios.walkPast(seconds: 4, exhibits: 4).write(
            toFile: "\(scenario)/four.yaml", atomically: false, encoding: .utf8)
        let setup = try Setup(beacons, source: "sim:\(scenario)/four.yaml", prefetch: "everything")
        defer { setup.cleanUp() }
        let daemon = try setup.start()
        try await daemon.waitUntil("all content has landed") { _ in beacons.allSatisfy(setup.has) }
        let before = daemon.errorLines.count
        let transfers = try setup.nginx.requests().filter { $0.path.hasPrefix("/v1/assets/") }
        #expect(Set(transfers.map(\.path)).count == 8 && transfers.count == 8)
        try await daemon.waitUntil("the visitor has passed the others") {
            Set(Self.events("nearest", in: Array($0.errorLines.dropFirst(before + 1)))).count >= 3
        }
        // The first lines may be about one that had become the nearest before all was there.
        func contents() -> [String] {
            Self.events("content", in: Array(daemon.errorLines.dropFirst(before + 1))).filter { $0.contains("Exhibit") }
        }
        try await daemon.waitUntil("it says so of two") { _ in contents().count >= 2 }
        #expect(contents().dropFirst().allSatisfy { $0.contains("up to date") }, "\(contents())")
        #expect(try setup.nginx.requests().count { $0.path.hasPrefix("/v1/assets/") } == 8)
        #expect(try await daemon.stop().status == 0)
    }

    enum Attack: CaseIterable {
        case unsigned, wrongKey, replayed
    }

    @Test("a list that the site's owner did not sign is refused, whatever it says, and the last good content stays",
        arguments: Attack.allCases)
    func forged(_ attack: Attack) async throws {
        let owner = ContentSite.Signer(id: "2026", seed: 1)
        let beacon = try Scenarios.beacon(1)
        var setup = try Setup(
            [beacon], source: "sim", prefetch: "everything", signer: owner,
            settings: ["public_keys: [\"\(try owner.publicKey())\"]", "sync_interval_s: 1"])
        defer { setup.cleanUp() }
        let list = "\(setup.site.folder)/v1/site.json"
        let first = try #require(FileManager.default.contents(atPath: list))
        let good = setup
        setup.site.pages[.beacon(beacon)]?.name = "Second"
        try setup.site.publish()
        let daemon = try setup.start()
        try await daemon.waitUntil("the content has landed") { _ in good.has(beacon) }
        setup.site.pages[.beacon(beacon)] = .init(name: "Evil", images: [.init(id: "1", asset: Setup.asset(66))])
        switch attack {
        case .unsigned: setup.site.signer = nil
        case .wrongKey: setup.site.signer = .init(id: "2026", seed: 2)
        case .replayed: break
        }
        if attack == .replayed {
            try setup.site.write(owner.signature(of: first), to: "signatures/\(ContentSite.Asset(Array(first)).sha256)")
            try setup.site.write(first, to: "site.json")
        } else {
            try setup.site.publish()
        }
        try await daemon.waitUntil("it says what is wrong") {
            $0.errorLines.contains {
                $0.contains("warning") && $0.contains(attack == .replayed ? "published before" : "sign")
            }
        }
        #expect(try await daemon.stop().status == 0)
        #expect(good.has(beacon) && setup.files(of: Setup.asset(66)).isEmpty)
        let shown = try await RunningProgram.run(
            Programs.beaconctl, ["content", "list", "--store", "\(setup.folder)/state/content"])
        #expect(shown.output.contains("Second") && !shown.output.contains("Evil"))
    }

    @Test("SIGUSR1 lets it sync everything now")
    func syncSignal() async throws {
        let beacons = try (1...3).map(Scenarios.beacon)
        var setup = try Setup(beacons, source: "sim")
        defer { setup.cleanUp() }
        let daemon = try setup.start()
        try await daemon.waitUntil("it ranks") { !Self.events("nearest", in: $0.errorLines).isEmpty }
        #expect(!beacons.contains(where: setup.has))
        setup.site.pages[.beacon(beacons[2])] = nil
        try setup.site.publish()
        daemon.signal(SIGUSR1)
        try await daemon.waitUntil("it has synced") {
            $0.errorLines.contains { $0.contains("synced: 2 new, 0 changed, 0 unchanged") }
        }
        #expect(setup.has(beacons[0]) && setup.has(beacons[1]))
        #expect(try await daemon.stop().status == 0)
    }

    /// Networks of one's own need a right that not every container gives.
    private static func canHaveNetwork() async throws -> Bool {
        guard ["unshare", "ip", "python3"].allSatisfy({ Programs.installed($0) != nil }) else { return false }
        return try await RunningProgram.run("unshare", ["-rn", "true"]).status == 0
    }

    @Test(
        "started without a network, it uses the network's return",
        .enabled("no network of the test's own can be had here (it takes unshare, ip and python3)") {
            try await canHaveNetwork()
        })
    func networkReturn() async throws {
        let beacon = try Scenarios.beacon(1)
        let setup = try Setup([beacon], source: "sim", prefetch: "everything")
        defer { setup.cleanUp() }
        let script = """
            ip link set lo down
            python3 -m http.server \(setup.nginx.port) --directory '\(setup.site.folder)' >/dev/null 2>&1 & server=$!
            '\(Programs.beacond)' --config '\(setup.configuration)' & daemon=$!
            trap 'kill $server $daemon; wait' TERM
            read -r _ && ip link set lo up
            wait
            """
        let world = try RunningProgram("unshare", ["-rn", "bash", "-c", script], input: .pipe)
        try await world.waitUntil("it says that the site is out of reach") {
            $0.errorLines.contains { $0.contains("warning") && $0.contains("site.json") }
        }
        #expect(!setup.has(beacon))
        try world.write("up")
        try await world.waitUntil("the content has landed") { _ in setup.has(beacon) }
        _ = try await world.stop()
    }

    @Test("a signal ends it with 0", arguments: [SIGINT, SIGTERM])
    func signal(number: Int32) async throws {
        let setup = try Setup([try Scenarios.beacon(1)], source: "sim")
        defer { setup.cleanUp() }
        let daemon = try setup.start("--live")
        try await daemon.waitUntil("it ranks") { !Self.events("nearest", in: $0.errorLines).isEmpty }
        #expect(try await daemon.stop(with: number).status == 0)
    }

    @Test(
        "fed by a controller over H4, it comes through the controller's loss",
        .enabled(if: Peers.absence == nil, Comment(rawValue: Peers.absence ?? "rootcanal and Bumble are here")))
    func controller() async throws {
        let air = try await RootcanalAir()
        let beacon = try Scenarios.beacon(1)
        let setup = try Setup([beacon], source: air.source(.extended))
        defer { setup.cleanUp() }
        let advertiser = try await air.advertise(uuid: Scenarios.uuid, major: 1, minor: 1, power: -56, .legacy)
        let daemon = try setup.start()
        try await daemon.waitUntil("the content has landed") { _ in setup.has(beacon) }
        #expect(!Self.events("nearest", in: daemon.errorLines).isEmpty)
        _ = try await advertiser.stop()
        #expect(air.death == nil)

        try await air.stop()
        try await daemon.waitUntil("it says that the controller is lost") {
            $0.errorLines.contains { $0.contains("warning") && $0.contains(air.source(.extended)) }
        }
        #expect(daemon.status == nil)
        #expect(try await daemon.stop().status == 0)
        #expect(setup.has(beacon))
    }
}
