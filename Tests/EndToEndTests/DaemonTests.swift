import Beacon
import Foundation
import Testing
import TestSupport

/// beacond with a content site behind a real nginx.
@Suite(.serialized, .timeLimit(.minutes(6)), .enabled(if: Nginx.program != nil, "nginx is not installed"))
struct DaemonTests {
    /// A site, its server, and a daemon's configuration for it.
    struct Setup {
        var site: ContentSite
        var nginx: Nginx
        var folder: String
        var configuration: String { "\(folder)/beacond.yaml" }

        init(_ beacons: [BeaconID], source: String) throws {
            site = try ContentSite()
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
            directories:
              state: \(folder)/state
              cache: \(folder)/cache
            """.write(toFile: configuration, atomically: false, encoding: .utf8)
        }

        static func asset(_ seed: UInt8) -> ContentSite.Asset {
            // Different for every seed, and of a size that takes more than one read.
            ContentSite.Asset((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }, type: "image/png")
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

        let first = try await setup.start("--walks", "1").wait(within: .seconds(120))
        #expect(first.status == 0, "\(first.errors)")
        let log = first.errors.split(separator: "\n").map(String.init)
        let changes = Self.events("nearest", in: log)
        #expect(Set(changes).count >= 4, "\(changes)")
        #expect(museum.filter(setup.has).count >= 4)
        let before = try setup.nginx.requests()
        let transfers = before.filter { $0.path.hasPrefix("/v1/assets/") }
        #expect(transfers.allSatisfy { $0.status == 200 })
        #expect(Set(transfers.map(\.path)).count == transfers.count, "an asset was fetched twice")

        let second = try await setup.start("--walks", "1").wait(within: .seconds(120))
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
        let scenario = try temporaryFolder("scenario")
        defer { try? FileManager.default.removeItem(atPath: scenario) }
        try Scenarios.walkPast(seconds: 4, exhibits: 3).write(
            toFile: "\(scenario)/three.yaml", atomically: false, encoding: .utf8)
        var setup = try Setup(beacons, source: "sim:\(scenario)/three.yaml")
        defer { setup.cleanUp() }

        let daemon = try setup.start()
        try await daemon.waitUntil("all content has landed", within: .seconds(60)) { _ in
            beacons.allSatisfy(setup.has)
        }
        setup.nginx.stop()
        let told = daemon.errorLines.count
        try await daemon.waitUntil("it says that the site is down", within: .seconds(60)) {
            $0.errorLines.dropFirst(told).contains { $0.contains("warning") }
        }
        // Long enough for the visitor to pass every exhibit, and for several attempts.
        try await Task.sleep(for: .seconds(15))
        let warnings = daemon.errorLines.dropFirst(told).filter { $0.contains("warning") || $0.contains("error") }
            .map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(Set(warnings).count == warnings.count, "told more than once:\n\(warnings.joined(separator: "\n"))")
        #expect(warnings.filter { !$0.contains("waits for") }.count == 1, "\(warnings)")
        #expect(daemon.status == nil)
        #expect(beacons.allSatisfy(setup.has))

        let new = Setup.asset(200)
        setup.site.pages[.beacon(beacons[1])]?.images[0].asset = new
        try setup.site.publish()
        try setup.nginx.start()
        let after = setup
        try await daemon.waitUntil("it has the new content", within: .seconds(120)) { _ in
            !after.files(of: new).isEmpty
        }
        #expect(daemon.errorLines.contains { $0.contains("is back") })
        #expect(try await daemon.stop().status == 0)
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
