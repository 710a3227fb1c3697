import Beacon
import Content
import Foundation
import SiteFormat
import TestSupport
import Testing

/// Nothing is asked for twice, also what the site does not have.
@Suite(.timeLimit(.minutes(10)))
struct MissingAssetTests {
    /// Two beacons that show one picture.
    private func site() throws -> ContentSite {
        var site = try ContentSite()
        for beacon in [hall, shop] { site.pages[.beacon(beacon)] = .init(name: "Room", images: [image(1)]) }
        try site.publish()
        return site
    }

    private func server(of site: ContentSite) throws -> RawServer {
        let folder = site.folder
        return try RawServer { path, _ in
            guard let data = FileManager.default.contents(atPath: folder + path) else { return [.notFound] }
            return [.answer("200 OK", Array(data))]
        }
    }

    @Test("an asset that the site does not have is asked for once in a round, however many manifests name it")
    func missing() async throws {
        let site = try site()
        let file = site.file(of: asset(1))
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        try FileManager.default.removeItem(atPath: file)
        let server = try server(of: site)
        let path = "/v1/assets/\(asset(1).sha256)"
        let bench = try Bench(server.baseURL)
        for round in 1...2 {
            let summary = try await bench.sync.syncAll()
            #expect(Set(summary.failed.map(\.scope)) == [.beacon(hall), .beacon(shop)])
            #expect(summary.failed.allSatisfy { $0.error.code == .refused })
            #expect(server.count(path) == round)
        }
        try data.write(to: URL(fileURLWithPath: file))
        #expect(try await bench.sync.syncAll().new.count == 2)
        #expect(server.count(path) == 3)
        await bench.sync.shutdown()
    }

    @Test("a manifest that the site does not have is asked for once, though it is asked for while the list is")
    func missingManifest() async throws {
        let site = try site()
        let server = try server(of: site)
        let bench = try Bench(server.baseURL) {
            $0.prefetch = .off
            // No second try while this looks.
            $0.retryPause = .seconds(86400)
            $0.maximumRetryPause = .seconds(86400)
        }
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        try FileManager.default.removeItem(atPath: site.file(of: .beacon(shop)))
        await bench.sync.want(shop)
        #expect(try await bench.log.failure().error.code == .refused)
        #expect(server.count("/v1/\(ContentSite.Target.beacon(shop).path)") == 1)
        await bench.sync.shutdown()
    }

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
}
