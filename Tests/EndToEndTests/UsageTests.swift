import Foundation
import Testing
import TestSupport

/// Exit codes and messages: what every program promises.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct UsageTests {
    static let programs = [Programs.beacond, Programs.beaconctl, Programs.beaconAdvertise]

    @Test("--help and --version succeed, on standard output", arguments: programs, ["--help", "--version"])
    func help(program: String, option: String) async throws {
        let end = try await RunningProgram.run(program, [option])
        #expect(end.status == 0)
        #expect(!end.output.isEmpty)
        #expect(end.errors.isEmpty)
    }

    @Test("the commands of beacon-advertise know their version", arguments: ["play", "calibrate"])
    func advertiseVersion(command: String) async throws {
        let end = try await RunningProgram.run(Programs.beaconAdvertise, [command, "--version"])
        #expect(end.status == 0 && end.output.hasPrefix("beacon-advertise "), "\(end.errors)")
    }

    @Test(
        "help has the same in front of a command as behind it",
        arguments: [["watch"], ["content", "list"], ["range"], ["status"]])
    func helpInFront(command: [String]) async throws {
        let inFront = try await RunningProgram.run(Programs.beaconctl, ["help"] + command)
        let behind = try await RunningProgram.run(Programs.beaconctl, command + ["--help"])
        #expect(inFront.status == 0 && inFront.output.contains("--format"), "\(inFront.errors)")
        #expect(inFront.output == behind.output)
    }

    @Test("help of a command that does not exist is the mistake that the command is", arguments: [
        (Programs.beaconctl, ["bogus"]), (Programs.beaconctl, ["content", "bogus"]),
        (Programs.beaconctl, ["sihgtings"]),
        (Programs.beaconAdvertise, ["bogus"]), (Programs.path(of: "beacon-fleet"), ["bogus"]),
        (Programs.path(of: "beacon-content-server"), ["user", "bogus"]),
    ] as [(String, [String])])
    func helpOfNothing(program: String, command: [String]) async throws {
        let help = try await RunningProgram.run(program, ["help"] + command)
        let itself = try await RunningProgram.run(program, command)
        #expect(help.status == 2 && help.output.isEmpty, "\(help.output)")
        #expect(itself.status == 2 && help.errors == itself.errors, "\(help.errors)")
        #expect(help.errors.contains("'\(command.last ?? "")' is no command of"), "\(help.errors)")
    }

    @Test("an argument that is not UTF-8 is refused, and no file with another name is read", arguments: programs)
    func notUTF8(program: String) async throws {
        let folder = try temporaryFolder("arguments")
        try "sources: [sim]\n".write(toFile: "\(folder)/a\u{FFFD}b", atomically: true, encoding: .utf8)
        let end = try await RunningProgram.run(
            "/bin/sh", ["-c", "exec \"$0\" --config \"$1/$(printf 'a\\377b')\"", program, folder])
        #expect(end.status == 2 && end.output.isEmpty)
        #expect(end.errors.contains("argument 2 is not UTF-8: "), "\(end.errors)")
        #expect(end.errors.contains("/a\u{FFFD}b\";"), "\(end.errors)")
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var program: String
        var arguments: [String]
        /// What the message must name.
        var names: String

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let mistakes: [Mistake] = [
        Mistake(program: Programs.beaconctl, arguments: ["sightings", "--colour"], names: "--colour"),
        Mistake(program: Programs.beaconctl, arguments: ["sihgtings"], names: "sihgtings"),
        Mistake(program: Programs.beaconctl, arguments: ["sightings", "--source", "usb:3"], names: "usb:3"),
        Mistake(
            program: Programs.beaconctl, arguments: ["sightings", "--source", "h4:tcp:127.0.0.1:99999"],
            names: "99999"),
        Mistake(
            program: Programs.beaconctl, arguments: ["sightings", "--source", "sim", "--limit", "many"], names: "many"),
        Mistake(
            program: Programs.beaconctl, arguments: ["sightings", "--source", "sim", "--format", "xml"], names: "xml"),
        Mistake(program: Programs.beaconctl, arguments: ["range", "--source", "sim", "--interval=-1"], names: "-1"),
        Mistake(
            program: Programs.beaconctl, arguments: ["range", "--source", "sim", "--config", "/nonexistent.yaml"],
            names: "/nonexistent.yaml"),
        Mistake(
            program: Programs.beaconctl, arguments: ["explain", "1.1", "--source", "sim", "--at", "noon"], names: "--at"
        ),
        Mistake(
            program: Programs.beaconctl, arguments: ["calibrate", "--source", "sim", "--source", "sim"],
            names: "one receiver"),
        Mistake(
            program: Programs.beaconctl, arguments: ["calibrate", "--source", "sim", "--duration", "0"],
            names: "--duration"),
        Mistake(program: Programs.beaconctl, arguments: ["range", "--source", "sim", "-o", ""], names: "--output"),
        Mistake(program: Programs.beaconctl, arguments: ["status", "--socket", ""], names: "--socket"),
        Mistake(program: Programs.beaconAdvertise, arguments: ["--uuid", "636F3F8F", "--dry-run"], names: "636F3F8F"),
        Mistake(program: Programs.beaconAdvertise, arguments: ["--major", "65536", "--dry-run"], names: "65536"),
        Mistake(program: Programs.beaconAdvertise, arguments: ["--measured-power", "200", "--dry-run"], names: "200"),
        Mistake(program: Programs.beaconAdvertise, arguments: ["--interval-ms", "5", "--dry-run"], names: "5"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["--compat", "hciconfig", "--interval-ms", "100"],
            names: "--interval-ms"),
        Mistake(program: Programs.beaconAdvertise, arguments: ["--mode", "bluez", "--dry-run"], names: "--mode bluez"),
        Mistake(program: Programs.beaconAdvertise, arguments: ["--adapter", "eth0"], names: "--adapter eth0"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["play", "x.yaml", "--adapter", "eth0"],
            names: "--adapter eth0"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["calibrate", "/nonexistent/c.json"],
            names: "/nonexistent/c.json"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["--adapter", "hci0", "--verify-with", "hci0"],
            names: "hci0"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["--source", "sim", "--verify-with", "file:x"],
            names: "file:x"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["--config", "/nonexistent/b.yaml"],
            names: "/nonexistent/b.yaml"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["play", "/nonexistent/s.yaml"],
            names: "/nonexistent/s.yaml"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["--major", "-1"],
            names: "out of range for '--major <major>': 0 to 65535"),
        Mistake(program: Programs.beaconAdvertise, arguments: ["--measured-power", "-129"], names: "-128 to 127"),
        Mistake(
            program: Programs.beaconAdvertise, arguments: ["--measured-power", "--dry-run"],
            names: "Missing value for '--measured-power"),
        Mistake(program: Programs.beaconAdvertise, arguments: ["plya", "scene.yaml"], names: "Did you mean 'play'?"),
        Mistake(
            program: Programs.beaconctl, arguments: ["sightings", "--limit", "-1"],
            names: "--limit is a number from 1, not -1"),
        Mistake(
            program: Programs.beaconctl, arguments: ["range", "--interval", "-1"],
            names: "--interval is a number of seconds"),
        Mistake(program: Programs.beaconctl, arguments: ["rang"], names: "Did you mean 'range'?"),
        Mistake(
            program: Programs.beaconctl, arguments: ["sighting", "--source", "sim"],
            names: "Did you mean 'sightings'?"),
        Mistake(program: Programs.beaconctl, arguments: ["content", "lst"], names: "Did you mean 'list'?"),
        Mistake(program: Programs.beaconctl, arguments: ["frobnicate"], names: "there are decode, sightings,"),
        Mistake(program: Programs.beaconctl, arguments: ["range", "--format", "cvs"], names: "Did you mean 'csv'?"),
        Mistake(program: Programs.beaconctl, arguments: ["range", "--formt", "csv"], names: "Did you mean '--format'?"),
        Mistake(program: Programs.beacond, arguments: ["--walks", "0"], names: "0"),
        Mistake(program: Programs.beacond, arguments: ["--walks", "-1"], names: "--walks is a number from 1, not -1"),
        Mistake(
            program: Programs.beacond, arguments: ["--config", "/nonexistent/beacond.yaml"],
            names: "/nonexistent/beacond.yaml"),
        Mistake(program: Programs.beacond, arguments: ["--source", "sim", "--base-url", "ftp://x"], names: "ftp://x"),
    ]

    @Test("wrong usage is 2, with a message that names it", arguments: mistakes)
    func mistake(_ mistake: Mistake) async throws {
        let end = try await RunningProgram.run(mistake.program, mistake.arguments)
        #expect(end.status == 2)
        #expect(end.errors.contains(mistake.names))
        #expect(end.output.isEmpty)
        #expect(!end.errors.contains("Fatal error") && !end.errors.contains("Stack dump"))
    }

    @Test("a configuration's mistakes are told with their lines")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/beacond.yaml"
        try "sources: [sim]\nsourcse: [hci0]\nranging:\n  near_m: far\n".write(
            toFile: file, atomically: false, encoding: .utf8)
        let end = try await RunningProgram.run(Programs.beacond, ["--config", file])
        #expect(end.status == 2)
        #expect(end.errors.contains("\(file):2"))
        #expect(end.errors.contains("\(file):4"))
    }

    @Test("what is not there is a failure: 1, and a message that names it")
    func absent() async throws {
        let file = try await RunningProgram.run(
            Programs.beaconctl, ["sightings", "--source", "file:/nonexistent/x.btsnoop"])
        #expect(file.status == 1)
        #expect(file.errors.contains("/nonexistent/x.btsnoop"))

        let controller = try await RunningProgram.run(
            Programs.beaconctl, ["sightings", "--source", "h4:tcp:127.0.0.1:\(freePort())"])
        #expect(controller.status == 1)
        #expect(controller.errors.contains("h4:tcp:127.0.0.1"))
    }

    @Test("a signal ends a live listing with 0", arguments: [SIGINT, SIGTERM])
    func liveListing(signal: Int32) async throws {
        let listing = try RunningProgram(
            Programs.beaconctl, ["sightings", "--source", "sim", "--format", "csv"])
        try await listing.waitUntil("it lists") { $0.lines.count > 2 }
        let end = try await listing.stop(with: signal)
        #expect(end.status == 0)
        #expect(end.errors.contains("iBeacons"), "the counts come at the end")
    }

    @Test("a signal that comes twice at once, as from timeout(1), is one request to end")
    func doubledSignal() async throws {
        var end: RunningProgram.Outcome?
        // A busy machine may keep the program from noticing the second for 0.3 s, after which it insists.
        for _ in 0..<5 where end?.status != 0 {
            let listing = try RunningProgram(
                Programs.beaconctl, ["sightings", "--source", "sim", "--format", "csv"])
            try await listing.waitUntil("it lists") { $0.lines.count > 2 }
            listing.signal(SIGTERM)
            end = try await listing.stop(with: SIGTERM)
        }
        #expect(end?.status == 0)
        #expect(end?.errors.contains("iBeacons") == true, "the counts come at the end")
    }

    @Test("a signal cuts a finite job short: 130, 143", arguments: [SIGINT, SIGTERM])
    func finiteJob(signal: Int32) async throws {
        let job = try RunningProgram(
            Programs.beaconctl, ["sightings", "--source", "sim", "--duration", "600", "--format", "csv"])
        try await job.waitUntil("it lists") { $0.lines.count > 2 }
        #expect(try await job.stop(with: signal).status == 128 + signal)
    }

    @Test("without a terminal there are no control sequences")
    func plainOutput() async throws {
        let range = try RunningProgram(
            Programs.beaconctl, ["range", "--source", "sim", "--interval", "0.5"],
            environment: ["TERM": "xterm-256color"])
        try await range.waitUntil("tables are there") { program in
            program.lines.count { $0.contains("BEACON") } >= 3
        }
        let end = try await range.stop(with: SIGINT)
        #expect(end.status == 0)
        #expect(!end.output.contains("\u{1B}"))
    }

    @Test(
        "NO_COLOR: a terminal gets a table in place, without colours",
        .enabled(if: Programs.installed("script") != nil, "script is not installed"),
        arguments: [true, false])
    func colours(wanted: Bool) async throws {
        let script = try #require(Programs.installed("script"))
        // A busy machine may let nothing be ranked in three seconds.
        let end = try await eventually("a table is drawn") {
            let end = try await RunningProgram.run(
                script,
                ["-qec", "'\(Programs.beaconctl)' range --source sim --duration 3 --interval 0.5", "/dev/null"],
                environment: ["TERM": "xterm-256color", "NO_COLOR": wanted ? nil : "1", "LC_ALL": "C.UTF-8"])
            return end.output.contains("BEACON") ? end : nil
        }
        let styles = end.output.matches(of: /\x{1B}\[[0-9;]*m/)
        #expect(styles.isEmpty != wanted)
        #expect(end.output.contains("\u{1B}["), "the table is drawn in place")
    }
}
