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
}
