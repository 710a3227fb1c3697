import Foundation
import Testing
import TestSupport

/// Content through the daemon, with a site behind a real nginx.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Nginx.program != nil, "nginx is not installed"))
struct AskedContentTests {
    private func with(
        directives: String = "", bytes: Int = 50_000,
        _ body: (ContentCommandTests.Setup, RunningProgram, _ ctl: ([String]) async throws -> RunningProgram.Outcome)
            async throws
            -> Void
    ) async throws {
        let setup = try ContentCommandTests.Setup(directives: directives, bytes: bytes)
        defer { setup.cleanUp() }
        let socket = "\(setup.folder)/control.sock"
        let daemon = try RunningProgram(
            Programs.beacond,
            [
                "--config", "\(setup.folder)/beacond.yaml", "--source", "sim", "--state-dir", "\(setup.folder)/state",
                "--socket", socket,
            ])
        try await daemon.waitUntil("it listens, and answers") {
            $0.errors.contains("listening on sim") && FileManager.default.fileExists(atPath: socket)
        }
        try await body(setup, daemon) { arguments in
            try await RunningProgram.run(
                Programs.beaconctl, ["content"] + arguments, environment: ["BEACOND_CONTROL_SOCKET": socket])
        }
        #expect(try await daemon.stop().status == 0)
    }

    @Test("the daemon's answers are those of the store itself")
    func same() async throws {
        try await with { setup, _, ctl in
            let sync = try await ctl(["sync"])
            #expect(sync.status == 0, "\(sync.errors)")
            #expect(sync.lines.last?.contains("0 deleted") == true, "\(sync.output)")
            let machine = try await ctl(["sync", "--json"])
            #expect(try ControlTests.object(machine.lines.last ?? "")["event"] as? String == "summary")

            let store = "\(setup.folder)/state/content"
            for arguments in [["list"], ["list", "--json"], ["show", "Exhibit 2"], ["show", "exhibit 2", "--json"]] {
                let asked = try await ctl(arguments)
                let read = try await RunningProgram.run(
                    Programs.beaconctl, ["content"] + arguments + ["--store", store])
                #expect(asked.status == 0 && read.status == 0, "\(asked.errors) \(read.errors)")
                // The moment of the last confirmation may pass between the two.
                func timeless(_ text: String) -> String {
                    text.replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME")
                }
                #expect(timeless(asked.output) == timeless(read.output), "\(arguments)")
            }
            setup.nginx.stop()
            let down = try await ctl(["sync", "--json"])
            let failed = try ControlTests.object(down.lines.last ?? "")
            #expect(down.status == 1 && down.errors.contains("site.json"), "\(down)")
            #expect(failed["event"] as? String == "failed" && failed["code"] is String, "\(down)")
            #expect(failed["error"] is String && failed["what_to_do"] is String, "\(down)")
            let missing = try await ctl(["show", "\(Scenarios.uuid)/7/7"])
            #expect(missing.status == 1 && missing.errors.contains("nothing is stored"), "\(missing.errors)")
        }
    }

    @Test("names from the configuration take precedence over the site's")
    func names() async throws {
        try await with { setup, _, ctl in
            #expect(try await ctl(["sync"]).status == 0)
            let file = "\(setup.folder)/beacond.yaml"
            try "content:\n  base_url: \(setup.nginx.baseURL)\nbeacons:\n  \(try Scenarios.beacon(2)): نجمة\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
            try await waitUntil("the daemon uses the name") { try await ctl(["list"]).output.contains("نجمة") }
            let asked = try await ctl(["show", "نجمة"])
            let read = try await RunningProgram.run(
                Programs.beaconctl,
                ["content", "show", "نجمة", "--store", "\(setup.folder)/state/content", "--config", file])
            for shown in [asked, read] {
                #expect(shown.status == 0 && shown.output.hasPrefix("نجمة ("), "\(shown.output)\(shown.errors)")
            }
        }
    }

    @Test(
        "verify finds and heals a damaged file while the daemon runs; prune and a dry run change nothing that is needed"
    )
    func heals() async throws {
        try await with { setup, _, ctl in
            #expect(try await ctl(["sync"]).status == 0)
            let hash = ContentCommandTests.Setup.asset(1).sha256
            let file = "\(setup.folder)/state/content/assets/\(hash.prefix(2))/\(hash)"
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: file))
            let looked = try await ctl(["verify", "--dry-run"])
            #expect(
                looked.status == 1 && looked.output.contains("damaged  \(hash)"), "\(looked.output)\(looked.errors)")
            #expect(FileManager.default.contents(atPath: file) == Data("damaged".utf8))
            let verified = try await ctl(["verify", "--json"])
            #expect(try ControlTests.object(verified.output)["repaired"] as? Bool == true)
            #expect(try await ctl(["sync"]).status == 0)
            #expect(try await ctl(["verify"]).status == 0)
            let pruned = try await ctl(["prune"])
            #expect(pruned.status == 0 && pruned.output.hasPrefix("0 files removed"), "\(pruned.output)")
        }
    }

    /// How soon the daemon ends in the middle of a sync. The machine may do something else meanwhile: the best of three
    /// counts.
    private func soonestEnd(
        _ begin: (ContentCommandTests.Setup, RunningProgram) async throws -> Void
    ) async throws -> Duration {
        var soonest = Duration.seconds(3600)
        for _ in 0..<3 where soonest >= .seconds(8) {
            try await with(
                directives: "location /v1/assets/ { limit_rate 10k; }", bytes: 2_000_000
            ) { setup, daemon, _ in
                try await begin(setup, daemon)
                let start = ContinuousClock.now
                #expect(try await daemon.stop().status == 0)
                soonest = min(soonest, ContinuousClock.now - start)
            }
        }
        return soonest
    }

    @Test("a sync that somebody waits for does not hold up the daemon's end, and who waits is told")
    func ends() async throws {
        var clients: [RunningProgram] = []
        let time = try await soonestEnd { setup, _ in
            let waiting = try RunningProgram(
                Programs.beaconctl, ["content", "sync", "--json"],
                environment: ["BEACOND_CONTROL_SOCKET": "\(setup.folder)/control.sock"])
            try await waiting.waitUntil("the sync is under way") { !$0.lines.isEmpty }
            clients.append(waiting)
        }
        // A part that does not end is given 10 s.
        #expect(time < .seconds(8))
        for client in clients {
            let told = try await client.wait()
            // By itself, or by the daemon if that still could: one that ends does not wait for its clients.
            let itself = told.errors.contains("the daemon ended before the sync did; beaconctl content sync continues")
            let daemon = told.errors.contains("syncing was stopped; it continues at the next start")
            #expect(told.status == 1 && itself != daemon, "\(told)")
        }
    }

    @Test("nor does one that a signal has asked for")
    func endsAfterSignal() async throws {
        let time = try await soonestEnd { setup, daemon in
            daemon.signal(SIGUSR1)
            let partial = "\(setup.folder)/state/content/partial"
            try await waitUntil("the sync is under way") {
                !((try? FileManager.default.contentsOfDirectory(atPath: partial)) ?? []).isEmpty
            }
        }
        // A service that does not end is given 12 s.
        #expect(time < .seconds(8))
    }

    @Test("a manifest's files are had by their URLs, whole and in parts, and never run")
    func files() async throws {
        try await with { setup, _, ctl in
            #expect(try await ctl(["sync"]).status == 0)
            let connection = try RawConnection(unix: "\(setup.folder)/control.sock")
            let manifest = try await connection.ask("/v1/content/\(Scenarios.uuid)/1/1")
            #expect(manifest.status == 200)
            let asset = ContentCommandTests.Setup.asset(1)
            let url = "/v1/content/assets/\(asset.sha256)?type=image/png"
            #expect(manifest.text.contains(#""url":"\#(url)""#), "\(manifest.text)")

            let whole = try await connection.ask(url)
            #expect(whole.status == 200 && whole.body == asset.data)
            #expect(whole.fields["content-type"] == "image/png" && whole.fields["x-content-type-options"] == "nosniff")
            #expect(whole.fields["content-security-policy"]?.contains("sandbox") == true)
            #expect(whole.fields["cache-control"]?.contains("immutable") == true)
            let tag = try #require(whole.fields["etag"])
            let known = try await connection.ask(url, fields: ["Host: localhost", "If-None-Match: \(tag)"])
            #expect(known.status == 304 && known.body.isEmpty)
            let part = try await connection.ask(url, fields: ["Host: localhost", "Range: bytes=10-19"])
            #expect(part.status == 206 && part.body == Array(asset.data[10...19]))
            #expect(part.fields["content-range"] == "bytes 10-19/50000")
            let stale = try await connection.ask(
                url, fields: ["Host: localhost", "Range: bytes=10-19", "If-Range: \"other\""])
            #expect(stale.status == 200 && stale.body.count == 50_000)
            let beyond = try await connection.ask(url, fields: ["Host: localhost", "Range: bytes=50000-"])
            #expect(beyond.status == 416 && beyond.fields["content-range"] == "bytes */50000")
            let html = try await connection.ask("/v1/content/assets/\(asset.sha256)?type=text/html")
            #expect(html.fields["content-type"] == "application/octet-stream")
            for path in [
                "/v1/content/assets/\(String(repeating: "0", count: 64))", "/v1/content/assets/..%2f..%2fsite.json",
                "/v1/content/assets/x",
            ] {
                let refused = try await connection.ask(path)
                #expect(refused.status == 404 || refused.status == 400, "\(path)")
            }
            let none = try await connection.ask("/v1/content/uncategorized")
            #expect(none.status == 404)
        }
    }
}
