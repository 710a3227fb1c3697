import Beacon
import Foundation
import TestSupport
import Testing

/// `beaconctl content` with a site behind a real nginx.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Nginx.program != nil, "nginx is not installed"))
struct ContentCommandTests {
    struct StateLine: Decodable {
        var scope: String
        var minor: Int?
        var name: String?
        var state: String
        var assets: Int
        var bytes: Int
        var presentBytes: Int
        var validatedAt: String?
    }

    struct SyncLine: Decodable {
        var event: String
        var new: [String]?
        var changed: [String]?
        var deleted: [String]?
        var unchanged: Int?
        var fetchedAssets: Int?
        var revision: Int?
    }

    struct Setup {
        var site: ContentSite
        let nginx: Nginx
        let folder: String
        var store: String { "\(folder)/store" }

        init(directives: String = "", bytes: Int = 50_000) throws {
            site = try ContentSite()
            for minor in 1...3 { site.pages[.beacon(try Scenarios.beacon(minor))] = Self.page(minor, bytes: bytes) }
            try site.publish()
            nginx = try Nginx(serving: site.folder, directives: directives)
            folder = try temporaryFolder("content-command")
            try "content:\n  base_url: \(nginx.baseURL)\n"
                .write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        }

        static func page(_ number: Int, bytes: Int) -> ContentSite.Page {
            let asset = asset(number, bytes: bytes)
            return .init(name: "Exhibit \(number)", images: [.init(id: "1", title: "Image \(number)", asset: asset)])
        }

        static func asset(_ number: Int, bytes: Int = 50_000) -> ContentSite.Asset {
            ContentSite.Asset((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }, type: "image/png")
        }

        func run(_ arguments: String...) async throws -> RunningProgram.Outcome {
            try await RunningProgram.run(
                Programs.beaconctl,
                ["content"] + arguments + ["--store", store, "--config", "\(folder)/beacond.yaml"])
        }

        func assetFile(_ asset: ContentSite.Asset) -> String {
            "\(store)/assets/\(asset.sha256.prefix(2))/\(asset.sha256)"
        }

        func cleanUp() {
            nginx.stop()
            for folder in [folder, site.folder] { try? FileManager.default.removeItem(atPath: folder) }
        }
    }

    @Test(
        "a store that may not be read is told, and not taken for an empty one",
        .enabled(if: OtherUser.isAvailable, OtherUser.condition),
        arguments: ["", "/beacons", "/assets"])
    func unreadable(part: String) async throws {
        let folder = try TemporaryFolder()
        let store = folder.path("content")
        try #require(chmod(folder.path, 0o755) == 0)
        for path in [store, "\(store)/beacons", "\(store)/assets"] { try #require(mkdir(path, 0o755) == 0) }
        try #require(chmod(store + part, 0o700) == 0)
        for command in [["list"], ["verify", "--dry-run"]] {
            let outcome = try await RunningProgram.run(
                "setpriv", OtherUser.options + [Programs.beaconctl, "content"] + command + ["--store", store])
            #expect(outcome.status == 1, "\(outcome.output)")
            #expect(
                outcome.errors.contains("\(store)\(part): it cannot be read (Permission denied)"), "\(outcome.errors)")
        }
    }

    @Test("sync fetches everything and sums up; list and show tell what is there")
    func sync() async throws {
        var setup = try Setup()
        defer { setup.cleanUp() }
        let empty = try await setup.run("list")
        #expect(empty.status == 1 && empty.errors.contains("there is no content store"))

        let first = try await setup.run("sync")
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.lines.last == "3 new, 0 changed, 0 unchanged, 0 deleted; 3 files, 146.5 KiB fetched; revision 1")
        #expect(first.lines.filter { $0.hasPrefix("new ") }.count == 3)

        setup.site.pages[.beacon(try Scenarios.beacon(1))] = nil
        setup.site.pages[.beacon(try Scenarios.beacon(2))]?.images[0].asset = Setup.asset(20)
        try setup.site.publish()
        let second = try await setup.run("sync", "--json")
        let lines: [SyncLine] = try decodeLines(second.lines)
        let summary = try #require(lines.last)
        #expect(second.status == 0 && summary.event == "summary" && summary.revision == 2)
        #expect(lines.dropLast().allSatisfy { $0.event == "progress" })
        let (gone, changed) = ("\(try Scenarios.beacon(1))", "\(try Scenarios.beacon(2))")
        #expect(summary.changed == [changed] && summary.deleted == [gone])
        #expect(summary.unchanged == 1 && summary.fetchedAssets == 1 && summary.new == [])

        let states: [StateLine] = try decodeLines(try await setup.run("list", "--format", "json").lines)
        #expect(states.map(\.minor) == [2, 3] && states.allSatisfy { $0.state == "complete" && $0.validatedAt != nil })
        #expect(states.allSatisfy { $0.assets == 1 && $0.bytes == 50_000 && $0.presentBytes == 50_000 })
        let table = try await setup.run("list")
        #expect(table.lines.count == 3 && table.output.contains("Exhibit 2") && !table.output.contains("\u{1B}"))
        #expect(table.output.contains("\(Scenarios.uuid.uppercased())/1/2"), "\(table.output)")

        let shown = try await setup.run("show", "exhibit 2")
        #expect(shown.status == 0 && shown.output.contains(setup.assetFile(Setup.asset(20))))
        let json = try await setup.run("show", "\(Scenarios.uuid)/1/3", "--json")
        #expect(try keys(of: json.output).isSuperset(of: ["scope", "name", "manifest", "assets", "missing"]))
        let absent = try await setup.run("show", "\(Scenarios.uuid)/1/1")
        #expect(absent.status == 1 && absent.errors.contains("nothing is stored"))
        let unknown = try await setup.run("show", "Cafeteria")
        #expect(unknown.status == 1 && unknown.errors.contains("was not found in the list; these were:"))
    }

    @Test(
        "verify finds damage, repairs it, and the next sync fetches what was removed; prune removes what is not needed")
    func verify() async throws {
        let setup = try Setup()
        defer { setup.cleanUp() }
        #expect(try await setup.run("sync").status == 0)
        let clean = try await setup.run("verify")
        #expect(clean.status == 0 && clean.output.hasPrefix("3 files, 146.5 KiB: all as they should be"))
        let file = setup.assetFile(Setup.asset(2))
        try Data(Setup.asset(2).data.reversed()).write(to: URL(fileURLWithPath: file))
        let found = try await setup.run("verify", "--dry-run")
        #expect(found.status == 1 && found.output.contains("damaged  \(Setup.asset(2).sha256)"))
        #expect(
            found.lines.last == "3 files, 146.5 KiB: 1 damaged, 0 missing; beaconctl content verify removes what is "
                + "damaged, then beaconctl content sync fetches them", "\(found)")
        let checked = try ControlTests.object(try await setup.run("verify", "--dry-run", "--json").output)
        #expect(checked["damaged_assets"] as? [String] == [Setup.asset(2).sha256], "\(checked)")
        #expect(checked["missing_assets"] as? [String] == [], "\(checked)")
        #expect(FileManager.default.fileExists(atPath: file))
        let repaired = try await setup.run("verify")
        #expect(repaired.status == 1 && repaired.output.contains("1 damaged and removed"))
        #expect(repaired.lines.last?.hasSuffix(" 0 missing; beaconctl content sync fetches them") == true)
        #expect(!FileManager.default.fileExists(atPath: file))
        let again = try await setup.run("sync")
        #expect(again.lines.last?.hasPrefix("0 new, 1 changed, 2 unchanged") == true, "\(again.output)")
        #expect(try await setup.run("verify", "--json").output.contains("\"damaged_assets\":[]"))

        let stray = setup.assetFile(ContentSite.Asset([1]))
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: stray).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: stray))
        let pruned = try await setup.run("prune")
        #expect(pruned.status == 0 && pruned.output == "1 files removed, 1 B; 0 manifests removed\n")
        #expect(!FileManager.default.fileExists(atPath: stray))
    }

    @Test("verify names a list that is missing, and counts the manifests that are not stored")
    func missingDocuments() async throws {
        let setup = try Setup()
        defer { setup.cleanUp() }
        #expect(try await setup.run("sync").status == 0)
        let list = "\(setup.store)/site.json"
        try FileManager.default.removeItem(atPath: list)
        let found = try await setup.run("verify")
        #expect(found.status == 1 && found.lines.first == "missing  \(list)", "\(found)")
        #expect(
            found.lines.last == "3 files, 146.5 KiB: 0 damaged, 1 missing; beaconctl content sync fetches them",
            "\(found)")
        var json = try await setup.run("verify", "--json")
        #expect(json.status == 1, "\(json)")
        #expect(try ControlTests.object(json.output)["missing_documents"] as? [String] == [list], "\(json)")
        #expect(try await setup.run("sync").status == 0)

        let beacon = try Scenarios.beacon(2)
        try FileManager.default.removeItem(
            atPath: "\(setup.store)/beacons/\(beacon.uuid)/\(beacon.major)/\(beacon.minor).json")
        let counted = try await setup.run("verify")
        #expect(counted.status == 0, "\(counted)")
        #expect(
            counted.output == "3 files, 146.5 KiB: all as they should be; 1 manifest of the site's list not stored\n",
            "\(counted)")
        json = try await setup.run("verify", "--json")
        #expect(try ControlTests.object(json.output)["not_stored"] as? Int == 1, "\(json)")
        #expect(try await setup.run("sync").status == 0)
        #expect(try await setup.run("verify").lines.last == "3 files, 146.5 KiB: all as they should be")
    }

    @Test("a file that is missing counts once, however many places show it")
    func shared() async throws {
        var setup = try Setup()
        defer { setup.cleanUp() }
        for minor in 1...3 { setup.site.pages[.beacon(try Scenarios.beacon(minor))] = Setup.page(1, bytes: 50_000) }
        try setup.site.publish()
        #expect(try await setup.run("sync").lines.last?.contains("1 files, 48.8 KiB fetched") == true)
        let hash = Setup.asset(1).sha256
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: setup.assetFile(Setup.asset(1))))
        let damaged = try await setup.run("verify")
        #expect(damaged.status == 1 && damaged.lines.filter { $0.contains(hash) } == ["damaged  \(hash)"], "\(damaged)")
        #expect(damaged.lines.last?.contains("1 damaged and removed, 0 missing;") == true, "\(damaged)")
        let missing = try await setup.run("verify")
        #expect(missing.status == 1 && missing.lines.first == "missing  \(hash)", "\(missing)")
        #expect(missing.lines.last?.hasPrefix("0 files, 0 B: 0 damaged, 1 missing;") == true, "\(missing)")
    }

    @Test("a store that is being synced is read, and not written; a signal ends a sync, and what came is kept")
    func locked() async throws {
        let setup = try Setup(directives: "location /v1/assets/ { limit_rate 5k; }", bytes: 500_000)
        defer { setup.cleanUp() }
        let running = try RunningProgram(
            Programs.beaconctl,
            ["content", "sync", "--store", setup.store, "--config", "\(setup.folder)/beacond.yaml", "--json"])
        try await running.waitUntil("bytes come") { $0.lines.contains { !$0.contains("\"bytes\":0,") } }
        for command in ["sync", "verify", "prune"] {
            let refused = try await setup.run(command)
            #expect(refused.status == 1 && refused.errors.contains("another process is syncing"), "\(refused)")
            #expect(refused.errors.contains("--signal=USR1"))
        }
        let states: [StateLine] = try decodeLines(try await setup.run("list", "--json").lines)
        #expect(states.count == 3 && states.allSatisfy { $0.state == "partial" || $0.state == "missing" })
        #expect(try await running.stop(with: SIGINT).status == 130)
        let partial = try FileManager.default.contentsOfDirectory(atPath: "\(setup.store)/partial")
        #expect(!partial.isEmpty)
    }

    @Test("doctor looks whether the site has a list that can be read, not only whether its port is open")
    func doctor() async throws {
        let setup = try Setup()
        defer { setup.cleanUp() }
        func doctor(_ arguments: String...) async throws -> RunningProgram.Outcome {
            try await RunningProgram.run(
                Programs.beaconctl,
                ["doctor", "--source", "sim", "--listen", "1", "--config", "\(setup.folder)/beacond.yaml"] + arguments)
        }
        let good = try await doctor()
        #expect(good.status == 0 && good.output.contains("revision 1, 3 manifests"), "\(good)")
        try setup.site.write(Data("<html>Please log in</html>".utf8), to: "site.json")
        let file = "\(setup.folder)/findings.json"
        let portal = try await doctor("--json", "-o", file)
        #expect(portal.status == 1, "\(portal)")
        let bytes = try #require(FileManager.default.contents(atPath: file))
        let findings = try #require(try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]])
        #expect(findings.count > 1 && findings.last?["check"] as? String == "content site")
        #expect(findings.last?["verdict"] as? String == "failure")
        #expect((findings.last?["detail"] as? String)?.contains("not valid JSON") == true, "\(findings)")
        try FileManager.default.removeItem(atPath: "\(setup.site.folder)/v1/site.json")
        let none = try await doctor()
        #expect(none.status == 0 && none.output.contains("has no list"), "\(none)")
        setup.nginx.stop()
        let away = try await doctor()
        #expect(away.status == 1 && away.output.contains("connection refused"), "\(away)")
        try "sources: [sim]\n".write(toFile: "\(setup.folder)/beacond.yaml", atomically: true, encoding: .utf8)
        let unset = try await doctor()
        #expect(unset.status == 0 && !unset.output.contains("content site"), "\(unset)")
    }

    @Test("what cannot be synced is told with its reason and exit status 1")
    func failures() async throws {
        let setup = try Setup()
        defer { setup.cleanUp() }
        try FileManager.default.removeItem(atPath: setup.site.file(of: Setup.asset(2)))
        let partly = try await setup.run("sync")
        #expect(
            partly.status == 1
                && partly.lines.last?.hasPrefix("2 new, 0 changed, 0 unchanged, 0 deleted, 1 failed") == true)
        #expect(partly.lines.contains { $0.hasPrefix("failed ") && $0.contains("404") }, "\(partly.output)")
        setup.nginx.stop()
        let down = try await setup.run("sync")
        #expect(down.status == 1 && down.errors.contains("site.json") && !down.errors.contains("Fatal"))
        let json = try await setup.run("sync", "--json")
        let failed = try ControlTests.object(json.lines.last ?? "")
        #expect(json.status == 1 && json.errors.contains("site.json"), "\(json)")
        #expect(failed["event"] as? String == "failed" && failed["code"] as? String == "connection", "\(json)")
        #expect((failed["error"] as? String)?.contains("site.json") == true, "\(json)")
        #expect(failed["what_to_do"] is String, "\(json)")
        #expect(try await setup.run("show", "Exhibit 1").status == 0)
        let nowhere = try await RunningProgram.run(
            Programs.beaconctl, ["content", "sync", "--config", "/dev/null", "--store", setup.store])
        #expect(nowhere.status == 2 && nowhere.errors.contains("--base-url"))
        let none = try await RunningProgram.run(
            Programs.beaconctl, ["content", "sync", "--config", "none", "--store", setup.store])
        #expect(none.status == 2 && none.errors.contains("content.base_url in /etc/beacond/beacond.yaml"), "\(none)")
    }

    @Test("a page with a script is kept as bytes, and its text reaches no terminal")
    func script() async throws {
        let setup = try Setup()
        defer { setup.cleanUp() }
        #expect(try await setup.run("sync").status == 0)
        let beacon = try Scenarios.beacon(9)
        let html = "<script>alert('\\u001b]0;x')</script>"
        let manifest = Data(
            """
            {"format":1,"images":[{"id":"\\u001b[2J","title":"a\\u0007b","asset":{"sha256":"\(Setup.asset(1).sha256)",
            "bytes":50000},"contents":[{"id":"v","kind":"video","video_url":"https://v.example/\\u001b[2J","assets":[
            {"sha256":"\(Setup.asset(1).sha256)","bytes":50000,"alt":"A wheel\\u0007"}],
            "coordinates":{"latitude":48.5,"longitude":11.5}}],"fullscreen":{"title":"\\u001b[31mT","html":"\(html)"}}]}
            """.utf8)
        try setup.site.write(manifest, to: "evil.json")
        let list = """
            {"format":1,"revision":9,"beacons":[{"uuid":"\(Scenarios.uuid)","major":1,"minor":9,"name":"\\u001b[2JEvil",
            "manifest":"evil.json","sha256":"\(ContentSite.Asset(Array(manifest)).sha256)"}],"uncategorized":null}
            """
        try setup.site.write(Data(list.utf8), to: "site.json")
        // One beacon in place of three: that is asked about first.
        let held = try await setup.run("sync")
        #expect(held.status == 1 && held.errors.contains("would remove 3 of the 3 manifests"), "\(held)")
        #expect(held.errors.contains("--accept-removals"))
        let before = try await setup.run("list", "--json")
        #expect(before.lines.count == 3 && before.lines.allSatisfy { $0.contains("complete") }, "\(before)")
        let accepted = try await setup.run("sync", "--accept-removals")
        #expect(accepted.status == 0 && accepted.output.contains("3 deleted"), "\(accepted)")
        for command in ["list", "show"] {
            let arguments = command == "show" ? [command, "\(beacon)"] : [command]
            let shown = try await RunningProgram.run(
                Programs.beaconctl, ["content"] + arguments + ["--store", setup.store])
            #expect(shown.status == 0 && shown.output.contains("Evil"), "\(shown)")
            for part in ["video_url https://v.example/", "coordinates 48.5, 11.5", "alt A wheel"] {
                #expect(shown.output.contains(part) == (command == "show"), "\(shown)")
            }
            #expect(
                !shown.output.contains("\u{1B}") && !shown.output.contains("\u{7}")
                    && !shown.output.contains("<script>"))
        }
        #expect(FileManager.default.contents(atPath: "\(setup.store)/beacons/\(beacon).json") == manifest)
    }
}
