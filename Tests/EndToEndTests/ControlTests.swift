import Foundation
import Testing
import TestSupport

/// The daemon as it is asked: by beaconctl, by curl's kind, by many at once, and by some who do not read.
@Suite(.timeLimit(.minutes(10)))
struct ControlTests {
    /// A daemon that hears the emulated museum.
    struct Asked {
        let folder: String
        let daemon: RunningProgram
        var socket: String { "\(folder)/control.sock" }

        init(_ configuration: String = "", _ arguments: String...) async throws {
            folder = try temporaryFolder("asked")
            try configuration.write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
            daemon = try Self.start(folder, arguments)
            try await isReady()
        }

        static func start(_ folder: String, _ arguments: [String] = []) throws -> RunningProgram {
            try RunningProgram(
                Programs.beacond,
                [
                    "--config", "\(folder)/beacond.yaml", "--source", "sim", "--state-dir", "\(folder)/state",
                    "--socket",
                    "\(folder)/control.sock",
                ] + arguments)
        }

        /// It can be asked, something is near, and all six beacons are there.
        func isReady() async throws {
            let socket = socket
            try await daemon.waitUntil("it can be asked") { _ in access(socket, F_OK) == 0 }
            try await daemon.waitUntil("something is near") { daemon in
                let entered = daemon.errorLines.count { $0.contains("entered  ") && !$0.contains("region ") }
                return entered >= 6 && daemon.errors.contains("nearest  ")
            }
        }

        func ctl(_ arguments: String...) async throws -> RunningProgram.Outcome {
            try await RunningProgram.run(
                Programs.beaconctl, arguments, environment: ["BEACOND_CONTROL_SOCKET": socket])
        }

        func cleanUp() {
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private static let regions = """
        regions:
          - name: museum
            uuid: 7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096
          - name: cellar
            uuid: 7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096
            major: 99
        """

    @Test("the state of one daemon is not another one's")
    func oneState() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let other = try await RunningProgram.run(
            Programs.beacond,
            ["--source", "sim", "--state-dir", "\(asked.folder)/state", "--socket", "\(asked.folder)/other.sock"])
        #expect(other.status == 1 && other.errors.contains("another beacond keeps its state there"), "\(other.errors)")
        #expect(try await asked.ctl("status").status == 0)
    }

    @Test("watch --limit counts the line of how it is now")
    func watchLimit() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let one = try await asked.ctl("watch", "--limit", "1")
        #expect(one.status == 0 && one.lines.count == 1, "\(one.output)")
    }

    @Test("a folder that is named relative to the daemon's own is shown as clients find it")
    func relativeFolder() async throws {
        let folder = try temporaryFolder("relative")
        let (config, socket) = ("\(folder)/beacond.yaml", "\(folder)/control.sock")
        try "sources: [sim]\n".write(toFile: config, atomically: true, encoding: .utf8)
        let daemon = try RunningProgram(
            "/bin/sh",
            [
                "-c", "cd \"$0\" && exec \"$@\"", folder, Programs.beacond, "--config", config, "--socket", socket,
                "--state-dir", "state", "--base-url", "http://127.0.0.1:9",
            ])
        try await waitUntil("it says where its content is") {
            try await RunningProgram.run(Programs.beaconctl, ["status", "--json", "--socket", socket])
                .output.contains("\"directory\":\"\(folder)/state/content\"")
        }
        #expect(try await daemon.stop().status == 0)
    }

    @Test("a reload says what counts only after a restart")
    func needsRestart() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        #expect(try await asked.ctl("config", "reload").output == "the configuration is good, and is applied\n")
        try "directories:\n  cache: \(asked.folder)/cache\n"
            .write(toFile: "\(asked.folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let text = try await asked.ctl("config", "reload")
        #expect(text.status == 0 && text.output.contains("directories.cache after a restart"), "\(text.output)")
        let json = try await asked.ctl("config", "reload", "--json")
        #expect(json.output.contains(#""needs_restart":["directories.cache"]"#), "\(json.output)")
        #expect(json.output.hasSuffix("}\n"), "one line, and none after it")
    }

    @Test("a reload that the daemon refuses is JSON where that is asked for, with every mistake")
    func refusedReload() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        try "ranging:\n  speed: 9\n"
            .write(toFile: "\(asked.folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let json = try await asked.ctl("config", "reload", "--json")
        #expect(json.status == 1 && json.errors.contains("beacond.yaml:2:3"), "\(json.errors)")
        let refusal = try Self.object(json.output)
        #expect(refusal["error"] is String && refusal["what_to_do"] is String, "\(json.output)")
        let problems = try #require(refusal["problems"] as? [String], "\(json.output)")
        #expect(problems.contains { $0.contains("beacond.yaml:2:3") }, "\(json.output)")
        #expect(json.output.hasSuffix("}\n") && json.lines.count == 1, "\(json.output)")
    }

    @Test("every command that asks it tells what it knows")
    func commands() async throws {
        let asked = try await Asked(Self.regions)
        defer { asked.cleanUp() }

        let status = try await asked.ctl("status")
        #expect(status.status == 0)
        for text in ["beacond ", "scanner   ok", "sim: listening", "nearest   ", "6 beacons", "no site"] {
            #expect(status.output.contains(text), "\(text) in:\n\(status.output)")
        }
        let machine = try await asked.ctl("status", "--format", "json")
        #expect(try Self.object(machine.output)["scanner"] as? String == "ok")

        let watch = try await asked.ctl("watch", "--after", "0", "--event", "entered", "--limit", "6")
        #expect(watch.status == 0)
        #expect(Set(watch.lines.map { $0.dropFirst(22) }).count == 6)
        #expect(watch.lines.allSatisfy { $0.contains("Z  entered  ") }, "\(watch.output)")
        let records = try await asked.ctl("watch", "--after", "0", "--event", "nearest", "--limit", "1", "--json")
        #expect(try Self.object(records.output)["event"] as? String == "nearest")

        let table = try await asked.ctl("range", "--once")
        #expect(table.status == 0 && table.output.contains("Steam Engine"))
        let json = try await asked.ctl("range", "--once", "--format", "json")
        let ranking = try Self.object(json.output)
        #expect((ranking["beacons"] as? [Any])?.count == 6 && ranking["scanner"] as? String == "ok")
        let csv = try await asked.ctl("range", "--once", "--format", "csv", "--interval", "0.5")
        #expect(csv.lines.first?.hasPrefix("time,scanner,nearest,rank,uuid") == true && csv.lines.count == 7)

        let heard = try await asked.ctl("sightings", "--limit", "5", "--format", "json")
        #expect(heard.status == 0 && heard.lines.count == 5, "\(heard.errors)")
        for line in heard.lines {
            let sighting = try Self.object(line)
            #expect(sighting["source"] as? String == "sim" && sighting["rssi"] is Int, "\(line)")
        }
        let sheet = try await asked.ctl("sightings", "--limit", "2", "--format", "csv")
        #expect(sheet.lines.count == 3 && sheet.lines[0].hasPrefix("time,source,address,"), "\(sheet.output)")

        let regions = try await asked.ctl("regions")
        #expect(regions.lines.contains { $0.hasPrefix("museum  inside ") }, "\(regions.output)")
        #expect(regions.lines.contains { $0.hasPrefix("cellar  outside") }, "\(regions.output)")

        let why = try await asked.ctl("explain", "steam engine")
        #expect(why.status == 0 && why.output.hasPrefix("Steam Engine") && why.output.contains("regions    museum"))
        #expect(why.output.contains("content    none: no site is configured"))
        var others = 0
        for minor in 1...6 {
            let one = try Self.object(try await asked.ctl("explain", "1.\(minor)", "--format", "json").output)
            if one["nearest"] as? Bool == false { others += 1 }
        }
        // One is the nearest. On a slow machine the visitor walks from one to the next between two questions.
        #expect(others >= 1)
        let nobody = try await asked.ctl("explain", "Cafeteria")
        #expect(
            nobody.status == 1 && nobody.errors.contains("Cafeteria: was not heard; these were:"), "\(nobody.errors)")

        let content = try await asked.ctl("content", "list")
        #expect(content.status == 1 && content.errors.contains("set content.base_url"))
        #expect(try await asked.daemon.stop().status == 0)
    }

    @Test(
        "without a daemon the commands say how to start it",
        arguments: [
            (["status"], 1), (["watch"], 1), (["regions"], 1), (["status", "--socket", "/nowhere/control.sock"], 1),
            (["range", "--socket", "/nowhere/control.sock"], 1), (["explain", "1.2"], 1), (["report"], 1),
            (["content", "list", "--socket", "/nowhere/control.sock"], 1),
            (["content", "sync", "--socket", "/nowhere/control.sock"], 1),
        ] as [([String], Int32)])
    func withoutDaemon(arguments: [String], status: Int32) async throws {
        let outcome = try await RunningProgram.run(Programs.beaconctl, arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.output.isEmpty && outcome.errors.hasPrefix("beaconctl: "), "\(outcome.errors)")
        #expect(
            outcome.errors.contains("systemctl start beacond") || outcome.errors.contains("start it with beacond"),
            "\(outcome.errors)")
    }

    @Test("what cannot go together, or is no option, is wrong usage", arguments: [
            ["content", "list", "--store", "/tmp", "--socket", "/tmp/x"], ["watch", "--limit", "0"],
            ["status", "--nonsense"],
        ["range", "--interval", "0", "--socket", "/tmp/x"], ["explain"], ["watch", "--after", "-1"],
        ["explain", "1.2", "--at", "2026-01-31T12:00:00Z"],
        ["health", "--learning", "30"], ["health", "--duration", "5"], ["health", "--active"],
        ["range", "--once", "--source", "sim", "--socket", "/tmp/x"],
        ["sightings", "--active", "--socket", "/tmp/x"], ["report", "--source", "sim", "--socket", "/tmp/x"],
        ["explain", "1.2", "--source", "sim", "--socket", "/tmp/x"],
        ["health", "--source", "sim", "--socket", "/tmp/x"],
    ])
    func wrongUsage(arguments: [String]) async throws {
        let outcome = try await RunningProgram.run(Programs.beaconctl, arguments)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
    }

    @Test(
        "an option for listening is refused without a source, with the reason",
        arguments: [["health", "--learning", "30"], ["report", "--duration", "5"], ["explain", "1.2", "--active"]])
    func optionsForListening(arguments: [String]) async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let outcome = try await RunningProgram.run(Programs.beaconctl, arguments + ["--socket", asked.socket])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("what says how to listen"), "\(outcome.errors)")
    }

    @Test("content of a site that was never reached cannot be shown, and what to do is said")
    func neverReached() async throws {
        let asked = try await Asked("content:\n  base_url: http://127.0.0.1:\(freePort())\n")
        defer { asked.cleanUp() }
        let shown = try await asked.ctl("content", "show", "1.1")
        #expect(shown.status == 1)
        #expect(shown.errors.contains("was not fetched yet; fetch it: beaconctl content sync"), "\(shown.errors)")
    }

    @Test("a variable that names a socket where no daemon listens is named")
    func absentByVariable() async throws {
        let socket = try temporaryFolder("absent") + "/control.sock"
        let outcome = try await RunningProgram.run(
            Programs.beaconctl, ["status"], environment: ["BEACOND_CONTROL_SOCKET": socket])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("only at \(socket) (BEACOND_CONTROL_SOCKET)"), "\(outcome.errors)")
    }

    @Test("where no daemon runs, range listens itself, and says so")
    func listensItself() async throws {
        let outcome = try await RunningProgram.run(Programs.beaconctl, ["range", "--once", "--duration", "1"])
        #expect(outcome.errors.hasPrefix("no --source and no running daemon: listening on the first adapter"))
    }

    @Test(
        "where an option says how to listen, no daemon is looked for, and none is said to be missing",
        arguments: [
            ["range", "--once", "--active"], ["range", "--once", "--config", "none"], ["sightings", "--active"],
        ])
    func listensWithoutAsking(arguments: [String]) async throws {
        let outcome = try await RunningProgram.run(Programs.beaconctl, arguments + ["--duration", "1"])
        #expect(outcome.errors.hasPrefix("no --source: listening on the first adapter"), "\(outcome.errors)")
    }

    @Test("watch goes on over a restart of the daemon, in order")
    func restart() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let watch = try RunningProgram(
            Programs.beaconctl, ["watch", "--json", "--after", "0"],
            environment: ["BEACOND_CONTROL_SOCKET": asked.socket])
        try await watch.waitUntil("it sees what was") { $0.lines.contains { $0.contains(#""event":"nearest""#) } }
        asked.daemon.signal(SIGKILL)
        _ = try await asked.daemon.wait()
        try await watch.waitUntil("it notices") { $0.errors.contains("the daemon is gone") }
        let before = watch.lines.count
        let again = try Asked.start(asked.folder)
        try await watch.waitUntil("it sees what comes after") { watch in
            watch.lines.dropFirst(before).contains { $0.contains(#""event":"nearest""#) }
        }
        #expect(watch.errors.contains("the daemon is back"))
        let ids = watch.lines.compactMap { (try? Self.object($0))?["id"] as? Int }
        #expect(ids == Set(ids).sorted())
        #expect(try await watch.stop(with: SIGINT).status == 0)
        _ = try await again.stop()
    }

    @Test("sightings go on over a restart of the daemon, under one heading", arguments: [SIGKILL, SIGTERM])
    func restartOfSightings(signal: Int32) async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let listing = try RunningProgram(
            Programs.beaconctl, ["sightings", "--format", "csv"],
            environment: ["BEACOND_CONTROL_SOCKET": asked.socket])
        try await listing.waitUntil("it lists what is received") { $0.lines.count > 3 }
        asked.daemon.signal(signal)
        _ = try await asked.daemon.wait()
        try await listing.waitUntil("it notices") { $0.errors.contains("the daemon is gone") }
        let before = listing.lines.count
        let again = try Asked.start(asked.folder)
        try await listing.waitUntil("it lists what comes after") { $0.lines.count > before + 3 }
        #expect(listing.errors.contains("the daemon is back"))
        #expect(listing.lines.count { $0.hasPrefix("time,source,") } == 1)
        #expect(try await listing.stop(with: SIGINT).status == 0)
        _ = try await again.stop()
    }

    @Test("a hundred clients see every event in order, and those who do not read cost little")
    func manyClients() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        func stream() async throws -> RawConnection {
            let connection = try RawConnection(unix: asked.socket)
            await connection.send("GET /v1/events?after=0&states=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return connection
        }
        var before = 0
        var readers: [RawConnection] = []
        for _ in 0..<100 {
            readers.append(try await stream())
            if readers.count == 1 { before = asked.daemon.residentOctets ?? 0 }
        }
        let opened = ContinuousClock.now
        var idle: [RawConnection] = []
        for _ in 0..<20 { idle.append(try await stream()) }
        // A change of the nearest takes some seconds, so that there are rankings for those who do not read, too.
        for reader in readers {
            try await reader.waitUntil("the nearest changes") { reader in
                let events = RawEvents(reader)
                return events.ids.count >= 15 && events.kinds.count { $0 == "nearest" } >= 2
            }
        }
        let all = readers.map { RawEvents($0).ids }
        let shortest = all.map(\.count).min() ?? 0
        #expect(shortest >= 15)
        for ids in all { #expect(ids.prefix(shortest) == all[0].prefix(shortest)) }
        #expect(all[0] == all[0].indices.map { all[0][0] + UInt64($0) })
        let status = try await asked.ctl("status")
        #expect(status.status == 0)
        let after = try #require(asked.daemon.residentOctets)
        #expect(!Sanitizer.leavesMemory || after - before < 48 << 20, "\(before) octets before, \(after) after")
        let ended = idle.count { $0.hasEnded }
        // Later, the daemon has given up who does not read.
        #expect(ended == 0 || ContinuousClock.now - opened > .seconds(30))
        // With all of them connected.
        #expect(try await asked.daemon.stop().status == 0)
    }

    @Test("a second daemon does not take the socket of the first, and goes on without")
    func second() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let second = try Asked.start(asked.folder, ["--state-dir", "\(asked.folder)/other"])
        try await second.waitUntil("it says so") { $0.errors.contains("another beacond has it") }
        try await second.waitUntil("it ranks all the same") { $0.errors.contains("nearest  ") }
        #expect(try await asked.ctl("status").status == 0)
        _ = try await second.stop()
        #expect(try await asked.ctl("status").status == 0)
    }

    @Test("the list of routes is the one of docs/api.md")
    func documentation() async throws {
        struct Index: Decodable {
            struct Route: Decodable, Hashable {
                var method: String
                var path: String
            }
            var routes: [Route]
        }
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let answer = try await RawConnection(unix: asked.socket).ask("/v1")
        let routes = Set(
            try JSONDecoder().decode(Index.self, from: Data(answer.body)).routes.map { "\($0.method) \($0.path)" })
        let page = try String(contentsOfFile: "\(Programs.project)/docs/api.md", encoding: .utf8)
        let documented = page.split(separator: "\n").filter { $0.hasPrefix("| `GET ") || $0.hasPrefix("| `POST ") }
            .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(routes == Set(documented))
    }

    @Test(
        "sockets of systemd are used, and stay when the daemon ends",
        .enabled(if: SocketActivation.isInstalled, "\(SocketActivation.missing)"))
    func activated() async throws {
        let folder = try TemporaryFolder()
        let socket = "\(folder)/control.sock"
        let daemon = try await SocketActivation.start(
            socket, variables: ["BEACOND_CONTROL_SOCKET": "none"],
            [Programs.beacond, "--source", "sim", "--config", "/dev/null", "--state-dir", "\(folder)/state"])
        // The first connection starts the daemon.
        let status = try await RawConnection(unix: socket).ask("/v1/status")
        #expect(status.status == 200)
        // A reload begins nothing anew here, and harms nothing.
        daemon.signal(SIGHUP)
        try await daemon.waitUntil("it is reloaded") { $0.errors.contains("settings applied") }
        #expect(try await RawConnection(unix: socket).ask("/v1/status").status == 200)
        #expect(try await daemon.stop().status == 0)
        #expect(FileManager.default.fileExists(atPath: socket))
    }

    @Test("an address that others reach needs a token")
    func openWithoutToken() async throws {
        let folder = try TemporaryFolder()
        try "http:\n  listen: 0.0.0.0:8080\n".write(
            toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let outcome = try await RunningProgram.run(
            Programs.beacond, ["--config", "\(folder)/beacond.yaml", "--check-config"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("http.listen: others on the network reach 0.0.0.0:8080"), "\(outcome.errors)")
    }

    static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }
}
