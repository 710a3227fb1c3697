import Beacon
import Content
import Foundation
import Platform
import TestSupport
import Testing

/// SIGKILL at random moments, with a real process that syncs: `test-helper sync-content`.
@Suite(
    .enabled(if: Nginx.program != nil, "nginx is not installed (apt-get install nginx-light, or set NGINX)"),
    .serialized, .timeLimit(.minutes(30)))
struct KillTests {
    static let isLong = ProcessInfo.processInfo.environment["BEACOND_LONG_TESTS"] != nil

    @Test("kills at random moments cost nothing but time")
    func killsAtRandom() async throws {
        let (assets, bytes) = Self.isLong ? (300, 1_000_000) : (30, 500_000)
        let (broken, requests) = try await syncKilled(assets, of: bytes, atMost: 5)
        let continued = requests.count { $0.status == 206 }
        // Otherwise nothing was broken off, and the count says nothing.
        #expect(continued >= broken / 2)
    }

    /// What of these was under way is too little to go on with.
    @Test(
        "kills while small files are fetched cost little",
        .enabled(if: isLong, "long: set BEACOND_LONG_TESTS"), arguments: [16_384, 65_536])
    func killsWhile(bytes: Int) async throws {
        _ = try await syncKilled(300_000_000 / bytes, of: bytes, atMost: 2)
    }

    private static let kills = isLong ? 200 : 12

    /// Syncs a site, is killed again and again, and counts what was sent.
    ///
    /// - Parameter percent: what may be sent twice, in hundredths of what the assets have.
    /// - Returns: how often it was killed while it had a part of an asset, and the requests for assets.
    private func syncKilled(
        _ assets: Int, of bytes: Int, atMost percent: Double
    ) async throws -> (broken: Int, requests: [Nginx.Request]) {
        let kills = Self.kills
        var site = try ContentSite()
        let perPage = bytes > 65_536 ? 10 : 25
        for page in 0..<(assets / perPage) {
            site.pages[.beacon(BeaconID(uuid: hall.uuid, major: 1, minor: UInt16(page)))] = .init(
                name: "\(page)", images: (0..<perPage).map { image(page * perPage + $0, bytes: bytes) })
        }
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let relay = try PacedRelay(to: nginx.port, rate: Self.isLong ? 1_000_000 : 600_000)
        let folder = try temporaryFolder("store")
        let store = try ContentStore(directory: folder)
        var (killed, broken, unread) = (0, 0, 0)
        while true {
            let delay = killed < kills ? Int.random(in: 100_000...(Self.isLong ? 600_000 : 700_000)) : nil
            guard let left = try await Self.run(relay, folder, killAfter: delay) else { break }
            unread += left.unread
            killed += 1
            if left.read > 100_000 { broken += 1 }
            let report = try store.verify()
            #expect(report.isClean, "\(report)")
            try #require(killed <= kills)
        }
        #expect(killed >= min(kills, 5))
        #expect(try store.verify().isComplete)
        for (target, page) in site.pages {
            guard case .beacon(let id) = target else { continue }
            let content = try #require(store.content(for: id))
            #expect(content.missing == 0 && content.assets == page.images.count)
            #expect(FileManager.default.contentsEqual(atPath: content.manifestPath, andPath: site.file(of: target)))
        }
        let requests = try nginx.requests().filter { $0.path.contains("/assets/") }
        let all = site.pages.values.reduce(0) { $0 + $1.images.count } * bytes
        // The relay counts heads, lists and manifests too, as if they were sent twice. For small files these are most.
        let bodies = requests.reduce(0) { $0 + $1.bytes }
        // What a program that gets no processor has not read is no cost of the kill.
        let sent = Double(relay.sent - unread - all) / Double(all) * 100
        let twice = Double(bodies - all) / Double(all) * 100
        print(
            "\(killed) kills, assets of \(bytes) bytes, \(all) bytes: \(requests.count) requests, "
                + "\(requests.count { $0.status == 206 }) continued, \(relay.sent) bytes sent with heads and lists, "
                + "\(unread) of them not read, \(sent) % more; \(twice) % of the assets twice")
        #expect((bytes > 65_536 ? sent : twice) < percent)
        return (broken, requests)
    }

    /// Runs the helper.
    ///
    /// - Returns: bytes that it had read, and had not read, when it was killed; nil if it was done before.
    private static func run(
        _ relay: PacedRelay, _ folder: String, killAfter delay: Int?
    ) async throws -> (read: Int, unread: Int)? {
        let before = relay.sent
        let helper = try RunningProgram(Programs.testHelper, ["sync-content", relay.baseURL, folder])
        var (sent, unread) = (0, 0)
        if let delay {
            // Not to wait for something: the moment of the kill is to be any. On a thread of its own, since other tests
            // may hold the pool's threads until the helper is done.
            (sent, unread) = try await OwnThread.run {
                usleep(UInt32(delay))
                // It reads nothing more: what is sent from here on is not read either.
                helper.signal(SIGSTOP)
                defer { helper.signal(SIGKILL) }
                return (relay.sent, relay.unread)
            }
        }
        let end = try await helper.wait(within: .seconds(600))
        if end.status == 128 + SIGKILL { return (sent - before - unread, unread + relay.sent - sent) }
        try #require(end.status == 0, "\(end.errors)")
        return nil
    }
}
