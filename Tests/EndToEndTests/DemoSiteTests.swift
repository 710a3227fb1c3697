import Foundation
import Testing
import TestSupport

/// The content site of `tools/demo` and the built-in scenario `museum` are written in two places: they must agree.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Programs.installed("python3") != nil, "python3 is not installed"))
struct DemoSiteTests {
    struct Site: Decodable {
        struct Entry: Decodable {
            var uuid: String
            var major: Int
            var minor: Int
            var name: String
            var manifest: String
            var sha256: String
        }

        var beacons: [Entry]
    }

    @Test("every beacon of the museum has its content, under its name")
    func agrees() async throws {
        let folder = try TemporaryFolder()
        let python = try #require(Programs.installed("python3"))
        let made = try await RunningProgram.run(
            python, ["-B", "\(Programs.project)/tools/demo-site/generate.py", folder.path])
        try #require(made.status == 0, "\(made.errors)")
        let site = try JSONDecoder().decode(
            Site.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/v1/site.json")))
        for entry in site.beacons {
            let manifest = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/v1/\(entry.manifest)"))
            #expect(ContentSite.Asset(Array(manifest)).sha256 == entry.sha256)
        }

        let published = Set(site.beacons.map { "\($0.uuid)/\($0.major)/\($0.minor) \($0.name)" })
        let range = try RunningProgram(Programs.beaconctl, ["range", "--source", "sim", "--format", "json"])
        func heard() throws -> Set<String> {
            let ticks: [RankingTick] = try decodeLines(range.lines)
            return Set(ticks.flatMap(\.beacons).map { "\($0.uuid)/\($0.major)/\($0.minor) \($0.name ?? "")" })
        }
        try await range.waitUntil("as many are heard as are published") { _ in try heard().count >= published.count }
        // All of them are heard from where the walk begins, so that one more would be heard by then.
        try await range.waitUntil("more rankings have come") { $0.lines.count >= 20 }
        #expect(try heard() == published)
        #expect(try await range.stop(with: SIGINT).status == 0)
    }
}
