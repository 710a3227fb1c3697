import Foundation
import TestSupport
import Testing

/// What happens to results: none is lost without a word, and none costs an earlier one.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ResultTests {
    private static let payload = "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5"

    /// - Parameter isSlow: a row each minute instead of each second.
    private func recording(in folder: TemporaryFolder, isSlow: Bool = false) throws -> String {
        let file = "\(folder)/air.csv"
        let rows = (0..<20).map { row in
            let time = isSlow ? "\(row + 10):00" : "00:\(row + 10)"
            return
                "2026-11-25T10:\(time).000000Z,a,00:11:22:33:44:55,random,3,-60,7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096,1,1,-59"
        }
        try ((["time,source,address,address_type,event_type,rssi,uuid,major,minor,measured_power"] + rows)
            .joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }

    @Test("a recording is not written over by what is read from it, whatever it is called")
    func sameFile() async throws {
        let folder = try TemporaryFolder()
        let file = try recording(in: folder)
        let before = FileManager.default.contents(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: file)
        for options in [["-o", file], ["-o", "\(folder)/link"], ["--capture", file, "-o", "/dev/null"]] {
            let end = try await RunningProgram.run(
                Programs.beaconctl, ["sightings", "--source", "file:\(file)", "--format", "csv"] + options)
            #expect(end.status == 2 && end.errors.contains("name another file"), "\(end.errors)")
            #expect(FileManager.default.contents(atPath: file) == before)
        }
        let twice = try await RunningProgram.run(
            Programs.beaconctl,
            ["sightings", "--source", "file:\(file)", "--capture", "\(folder)/out", "-o", "\(folder)/out"])
        #expect(twice.status == 2, "\(twice.errors)")
    }

    @Test("what a command reads is not written over by its result")
    func inputs() async throws {
        let folder = try TemporaryFolder()
        let recording = try recording(in: folder)
        let (scenario, settings) = ("\(folder)/v.yaml", "\(folder)/c.yaml")
        try "beacons: []\n".write(toFile: scenario, atomically: false, encoding: .utf8)
        try "ranging:\n  near_m: 3\n".write(toFile: settings, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: recording)
        let commands: [(read: String, words: [String])] = [
            (recording, ["report", "--source", "file:\(recording)", "-o", recording]),
            (recording, ["report", "--source", "file:\(recording)", "-o", "\(folder)/link"]),
            (recording, ["calibrate", "--source", "file:\(recording)", "--svg", recording]),
            (scenario, ["range", "--source", "sim:\(scenario)", "-o", scenario]),
            (scenario, ["sightings", "--source", "sim:\(scenario)", "--capture", scenario]),
            (scenario, ["report", "--source", "sim:\(scenario)", "-o", scenario]),
            (settings, ["range", "--source", "file:\(recording)", "--config", settings, "-o", settings]),
            (settings, ["report", "--source", "file:\(recording)", "--config", settings, "-o", settings]),
            (settings, ["explain", "1.1", "--source", "file:\(recording)", "--config", settings, "-o", settings]),
            (settings, ["config", "check", settings, "-o", settings]),
            (settings, ["name", "--config", settings, "-o", settings]),
        ]
        for (read, words) in commands {
            let before = FileManager.default.contents(atPath: read)
            let end = try await RunningProgram.run(Programs.beaconctl, words)
            #expect(end.status == 2 && end.errors.contains("name another file"), "\(words): \(end.errors)")
            #expect(FileManager.default.contents(atPath: read) == before, "\(words)")
        }
        let piped = try await RunningProgram.run(
            "/bin/sh", ["-c", "'\(Programs.beaconctl)' sightings --source file:- -o '\(recording)' <'\(recording)'"])
        #expect(piped.status == 2 && piped.errors.contains("standard input"), "\(piped.errors)")
    }

    @Test("nor does any other program write into what it reads")
    func otherInputs() async throws {
        let folder = try TemporaryFolder()
        let recording = try recording(in: folder)
        let (scenario, settings, beacon) = ("\(folder)/v.yaml", "\(folder)/c.yaml", "\(folder)/b.yaml")
        let texts = [scenario: "beacons: []\n", settings: "ranging:\n  near_m: 3\n", beacon: "major: 5\n"]
        for (file, text) in texts {
            try text.write(toFile: file, atomically: false, encoding: .utf8)
        }
        let locate = ["beacon-fleet", "locate", "--source", "file:\(recording)"]
        let daemon = ["beacond", "--source", "sim", "--state-dir", "\(folder)/state", "--socket", "\(folder)/socket"]
        let commands: [(read: String, words: [String])] = [
            (settings, locate + ["--places", settings, "-o", settings]),
            (settings, locate + ["--places", settings, "--capture", settings]),
            (settings, locate + ["--taught", settings, "-o", settings]),
            (
                recording,
                ["beacon-fleet", "teach", "Hall", "--beacon", "1.1", "--source", "file:\(recording)", "-o", recording]
            ),
            (settings, ["beacon-fleet", "report", "--state", folder.path, "--names", settings, "-o", settings]),
            (settings, ["beaconctl", "fleet", "--config", settings, "-o", settings]),
            (
                settings,
                ["beaconctl", "fleet", "--mqtt", "mqtt://127.0.0.1:9", "--password-file", settings, "-o", settings]
            ),
            (settings, ["beaconctl", "content", "list", "--config", settings, "-o", settings]),
            (scenario, ["beaconctl", "doctor", "--source", "sim:\(scenario)", "-o", scenario]),
            (beacon, ["beacon-advertise", "--source", "sim", "--config", beacon, "--capture", beacon]),
            (settings, daemon + ["--config", settings, "--capture", settings]),
        ]
        for (read, words) in commands {
            let before = FileManager.default.contents(atPath: read)
            let end = try await RunningProgram.run(Programs.path(of: words[0]), Array(words.dropFirst()))
            #expect(end.status == 2 && end.errors.contains("name another file"), "\(words): \(end.errors)")
            #expect(FileManager.default.contents(atPath: read) == before, "\(words)")
        }
    }

    @Test("a recording without the beacon that is asked for is a failure", arguments: ["range", "sightings", "report"])
    func absent(command: String) async throws {
        let folder = try TemporaryFolder()
        let file = try recording(in: folder)
        let end = try await RunningProgram.run(
            Programs.beaconctl, [command, "--source", "file:\(file)", "--beacon", "9.9"])
        #expect(end.status == 1 && end.errors.contains("9.9: was not heard"), "\(end.errors)")
        #expect(end.errors.contains("iBeacons 20") == (command == "sightings"), "\(end.errors)")
        let there = try await RunningProgram.run(
            Programs.beaconctl, [command, "--source", "file:\(file)", "--beacon", "1.1"])
        #expect(there.status == 0, "\(there.errors)")
    }

    @Test("range --once waits five seconds of a recording for a beacon that is asked for, and for no other")
    func late() async throws {
        let folder = try TemporaryFolder()
        typealias Row = (second: Int, minor: Int)
        func once(_ rows: [Row], _ beacons: String...) async throws -> RunningProgram.Outcome {
            let file = "\(folder)/late.csv"
            let lines = rows.map { row in
                "\(1_767_225_600 + row.second),7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096,1,\(row.minor),-59,-60"
            }
            try (["time,uuid,major,minor,measured_power,rssi"] + lines + [""]).joined(separator: "\n")
                .write(toFile: file, atomically: false, encoding: .utf8)
            let end = try await RunningProgram.run(
                Programs.beaconctl,
                ["range", "--source", "file:\(file)", "--once", "--json"] + beacons.flatMap { ["--beacon", $0] })
            #expect(end.lines.count == 1, "one ranking: \(end.output)\(end.errors)")
            return end
        }
        func has(_ minor: Int, _ end: RunningProgram.Outcome) -> Bool { end.output.contains("\"minor\":\(minor),") }
        let short: [Row] = [(0, 1), (2, 2)]
        let long: [Row] = (0..<20).map { (second: $0, minor: 1) }
        var lasting = short
        lasting += long.dropFirst(3)
        for rows in [short, lasting] {
            let present = try await once(rows, "1.2")
            #expect(present.status == 0 && has(2, present) && !has(1, present), "\(present.errors)")
            let either = try await once(rows, "9.9", "1.2")
            #expect(either.status == 0 && has(2, either), "\(either.errors)")
            let first = try await once(rows)
            #expect(first.status == 0 && has(1, first) && !has(2, first), "\(first.output)")
        }
        // This has the beacon, but after the wait.
        var tooLate = long
        tooLate.insert((second: 15, minor: 9), at: 15)
        for rows in [short, long, tooLate] {
            let absent = try await once(rows, "1.9")
            #expect(absent.status == 1 && absent.output.contains(#""beacons":[]"#), "\(absent.output)")
            let told = absent.errors.split(separator: "\n").count { $0.contains("1.9: was not heard") }
            #expect(told == 1, "\(absent.errors)")
        }
    }

    @Test("an earlier result stays where nothing can be listened to", arguments: [
        ["sightings", "--format", "csv"], ["range"], ["capture"], ["explain", "1.1"],
    ])
    func earlier(command: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/earlier"
        try "earlier\n".write(toFile: file, atomically: false, encoding: .utf8)
        let end = try await RunningProgram.run(
            Programs.beaconctl, command + ["--source", "h4:unix:\(folder)/none", "-o", file])
        #expect(end.status == 1)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "earlier\n")
    }

    @Test("a shorter result replaces a longer one")
    func shorter() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/earlier"
        try String(repeating: "earlier\n", count: 1000).write(toFile: file, atomically: false, encoding: .utf8)
        let end = try await RunningProgram.run(Programs.beaconctl, ["decode", Self.payload, "-o", file])
        #expect(end.status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasPrefix("{\"uuid\"") && text.split(separator: "\n").count == 1)
    }

    @Test("a full disk is a failure of every command that has a result", arguments: [
        ["beaconctl", "decode", payload], ["beaconctl", "--help"], ["beaconctl", "--version"],
        ["beacon-advertise", "--dry-run"], ["beaconctl", "decode", payload, "-o", "/dev/full"],
        ["beaconctl", "doctor", "--source", "sim", "--listen", "1", "-o", "/dev/full"],
    ])
    func full(command: [String]) async throws {
        let program = Programs.path(of: command[0])
        let words = [program] + command.dropFirst()
        let line = words.map { "'\($0)'" }.joined(separator: " ") + (words.contains("/dev/full") ? "" : " >/dev/full")
        let end = try await RunningProgram.run("/bin/sh", ["-c", line])
        let what = words.contains("/dev/full") ? "/dev/full: cannot write the result" : "cannot write the output"
        #expect(end.status == 1 && end.errors.contains("\(command[0]): \(what): No space"), "\(end.errors)")
    }

    @Test("a closed standard output is a failure, and no file that is opened meanwhile gets the result", arguments: [
        ">&-", "<&- >&-",
    ])
    func closed(streams: String) async throws {
        let folder = try TemporaryFolder()
        let capture = folder.path("capture.btsnoop")
        for words in ["decode \(Self.payload)", "sightings --source sim --limit 3 --capture '\(capture)'"] {
            let end = try await RunningProgram.run("/bin/sh", ["-c", "'\(Programs.beaconctl)' \(words) \(streams)"])
            #expect(end.status == 1 && end.errors.contains("cannot write the output"), "\(words): \(end.errors)")
        }
        let recorded = FileManager.default.contents(atPath: capture) ?? Data()
        #expect(recorded.starts(with: "btsnoop".utf8) && recorded.range(of: Data("MAJOR".utf8)) == nil)
    }

    @Test("with standard streams closed, --output is written", arguments: [">&-", "2>&-", "<&- >&- 2>&-"])
    func closedBesideFile(streams: String) async throws {
        let folder = try TemporaryFolder()
        let line = "'\(Programs.beaconctl)' sightings --source sim --limit 3 --format csv -o '\(folder)/result.csv'"
        let end = try await RunningProgram.run("/bin/sh", ["-c", "\(line) \(streams)"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try folder.text("result.csv").split(separator: "\n").count == 4)
    }

    @Test("what --dry-run prints can be pasted into a shell")
    func paste() async throws {
        for options in [[], ["--compat", "hciconfig"], ["--source", "h4:tcp:127.0.0.1:1"]] {
            let end = try await RunningProgram.run(Programs.beaconAdvertise, ["--dry-run"] + options)
            let commands = end.lines.filter { $0.hasPrefix("# ") }.map { $0.dropFirst(2) }
            #expect(commands.count > 3)
            #expect(end.output.contains("-i hciN cmd") == options.contains("--source"), "\(end.output)")
            let check = try await RunningProgram.run("/bin/sh", ["-n", "-c", commands.joined(separator: "\n")])
            #expect(check.status == 0, "\(check.errors)")
        }
    }

    @Test("sightings tell their counts also where they are interrupted")
    func interrupted() async throws {
        let folder = try TemporaryFolder()
        // It must not end by itself before a busy machine interrupts it.
        let file = try recording(in: folder, isSlow: true)
        var told = ""
        // Half a second after the signal it ends in any case, and a busy machine may not let it tell them before.
        for _ in 0..<5 where !told.contains("iBeacons ") {
            let run = try RunningProgram(
                Programs.beaconctl, ["sightings", "--source", "file:\(file)", "--realtime", "--format", "csv"])
            try await run.waitUntil("a line is there") { $0.output.contains("-60") }
            let end = try await run.stop(with: SIGTERM)
            #expect(end.status == 143)
            told = end.errors
        }
        #expect(told.contains("iBeacons "), "\(told)")
    }

    @Test("doctor says at Ctrl-C what it has found, and which checks are missing", arguments: [false, true])
    func interruptedDoctor(isJSON: Bool) async throws {
        let run = try RunningProgram(
            Programs.beaconctl,
            ["doctor", "--source", "sim", "--listen", "3600", "--base-url", "http://127.0.0.1:9"]
                + (isJSON ? ["--json"] : []))
        try await run.waitUntil("it watches for signals") { $0.handles(SIGINT) }
        let end = try await run.stop(with: SIGINT)
        #expect(end.status == 130, "\(end.errors)")
        #expect(end.errors == "interrupted before these checks: source, listening, clock, content site\n")
        #expect(end.output == (isJSON ? "[]\n" : ""))
    }

    @Test("config check has its result as JSON, good or not")
    func configCheck() async throws {
        let folder = try TemporaryFolder()
        try "ranging:\n  speed: 9\n".write(toFile: "\(folder)/wrong.yaml", atomically: false, encoding: .utf8)
        let good = try await RunningProgram.run(Programs.beaconctl, ["config", "check", "--json", "/dev/null"])
        #expect(good.status == 0 && good.output.contains(#""good":true"#), "\(good.errors)")
        let wrong = try await RunningProgram.run(
            Programs.beaconctl, ["config", "check", "\(folder)/wrong.yaml", "--json"])
        #expect(wrong.status == 1 && wrong.output.contains("wrong.yaml:2:3: "), "\(wrong.output)")
        let nothing = try await RunningProgram.run(Programs.beaconctl, ["config", "check", ""])
        #expect(nothing.status == 2 && nothing.errors.contains("empty"), "\(nothing.errors)")
    }

    @Test("Ctrl-\\ ends a program without a stack trace")
    func quit() async throws {
        let run = try RunningProgram(Programs.beaconctl, ["sightings", "--source", "sim"])
        try await run.waitUntil("a line is there") { $0.output.count > 200 }
        let end = try await run.stop(with: SIGQUIT)
        #expect(end.status == 128 + SIGQUIT && !end.errors.contains("crashed"), "\(end.errors)")
    }
}
