import Foundation
import Testing
import TestSupport

/// What holds for every command of every program, also for those to come: by what the programs tell of themselves.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ConsistencyTests {
    /// A command, as `--experimental-dump-help` tells it.
    struct Command: Sendable {
        struct Option: Sendable {
            var names: [String]
            /// What stands for its value; empty for a flag.
            var value: String
            var values: [String]

            var name: String { names.max { $0.count < $1.count } ?? "" }
            var isNumber: Bool { ["seconds", "n", "ms", "dBm", "metres", "id", "major", "minor"].contains(value) }
        }

        var program: String
        var words: [String]
        var options: [Option]
        var positionals: [String]
        var subcommands: [String]

        var title: String {
            ([program.split(separator: "/").last.map(String.init) ?? ""] + words).joined(separator: " ")
        }

        subscript(name: String) -> Option? { options.first { $0.names.contains(name) } }
    }

    private struct Told: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }

            var kind: String
            var names: [Name]?
            var valueName: String?
            var allValues: [String]?
            var parsingStrategy: String
        }

        struct Command: Decodable {
            var commandName: String
            var arguments: [Argument]?
            var subcommands: [Command]?
        }

        var command: Command
    }

    /// A command and all below it, companions' too.
    static func read(_ program: String, _ words: [String] = []) async throws -> [Command] {
        let end = try await RunningProgram.run(program, words + ["--experimental-dump-help"])
        try #require(end.status == 0, "\(words): \(end.errors)")
        let told = try JSONDecoder().decode(Told.self, from: Data(end.output.utf8)).command
        return try await commands(told, program, words)
    }

    private static func commands(_ told: Told.Command, _ program: String, _ words: [String]) async throws -> [Command] {
        let below = (told.subcommands ?? []).filter { $0.commandName != "help" }
        let arguments = told.arguments ?? []
        let options = arguments.filter { $0.kind != "positional" }.map { argument in
            Command.Option(
                names: (argument.names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name },
                value: argument.kind == "flag" ? "" : argument.valueName ?? "value", values: argument.allValues ?? [])
        }
        var all = [
            Command(
                program: program, words: words, options: options,
                positionals: arguments.filter { $0.kind == "positional" }.map { $0.valueName ?? "" },
                subcommands: below.map(\.commandName))
        ]
        for command in below {
            let path = words + [command.commandName]
            let isCompanions = command.arguments?.contains { $0.parsingStrategy == "allRemainingInput" } == true
            all += isCompanions ? try await read(program, path) : try await commands(command, program, path)
        }
        return all
    }

    static func everything() async throws -> [Command] {
        let advertise = Programs.beaconAdvertise
        var all = try await read(Programs.beaconctl) + read(Programs.beacond) + read(advertise)
        for name in ["play", "calibrate"] { all += try await read(advertise, [name]) }
        try #require(all.count > 20)
        return all
    }

    static func run(_ command: Command, _ words: String...) async throws -> RunningProgram.Outcome {
        // What is asked for does not matter, as long as something is.
        try await RunningProgram.run(
            command.program, command.words + command.positionals.map { _ in "1.7" } + words)
    }

    // MARK: - Rules

    @Test("a form is asked for with --format, --json is short for one of them, and -o writes it to a file")
    func formats() async throws {
        let forms = try await Self.everything().filter { $0["--format"] != nil || $0["--json"] != nil }
        for command in forms {
            #expect(command["--format"]?.values.contains("json") == true, "\(command.title)")
            #expect(command["--json"]?.value == "", "\(command.title)")
            #expect(command["--output"]?.names.contains("-o") == true, "\(command.title)")
        }
        // Who has no form has no result, or is another program's command.
        let others = try await Self.everything().filter { $0["--format"] == nil && $0.subcommands.isEmpty }
        #expect(
            Set(others.map(\.title)) == [
                "beacond", "beaconctl capture", "beaconctl content check", "beacon-advertise", "beacon-advertise play",
                "beacon-advertise calibrate",
            ])
    }

    @Test("--json beside another --format is refused")
    func contradiction() async throws {
        for words in [["range", "--source", "sim"], ["report", "--source", "sim"]] {
            let end = try await RunningProgram.run(Programs.beaconctl, words + ["--json", "--format", "csv"])
            #expect(end.status == 2 && end.errors.contains("--json and --format csv"), "\(end.errors)")
        }
    }

    @Test("who listens can record: --capture, and a capture's own -o means the same")
    func captures() async throws {
        let listening = try await Self.everything().filter { $0["--scan-profile"] != nil }
        #expect(!listening.isEmpty)
        for command in listening {
            #expect(command["--capture"]?.value == "file.btsnoop", "\(command.title)")
        }
        let neither = try await RunningProgram.run(Programs.beaconctl, ["capture", "--source", "sim"])
        #expect(neither.status == 2 && neither.errors.contains("--output FILE.btsnoop"), "\(neither.errors)")
        let folder = try TemporaryFolder()
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["capture", "--source", "sim", "--duration", "0.5", "--capture", "\(folder)/a.btsnoop"])
        #expect(end.status == 0 && end.errors.contains("recorded in \(folder)/a.btsnoop"), "\(end.errors)")
    }

    @Test("what the daemon's part of a command takes, the command takes too")
    func companions() async throws {
        let own = try await Self.read(Programs.beaconctl)
        let remote = try await Self.read(Programs.path(of: "beaconctl-remote")).filter { !$0.words.isEmpty }
        #expect(!remote.isEmpty)
        for command in remote {
            let same = try #require(own.first { $0.words == command.words }, "\(command.title)")
            let names = Set(same.options.flatMap(\.names))
            #expect(names.isSuperset(of: command.options.flatMap(\.names)), "\(command.title)")
        }
    }

    @Test("a negative number is the value of the option before it, and told where it is out of range")
    func negativeNumbers() async throws {
        var count = 0
        for command in try await Self.everything() {
            for option in command.options where option.isNumber {
                let end = try await Self.run(command, option.name, "-1000000")
                #expect(end.status == 2, "\(command.title) \(option.name): \(end.errors)")
                #expect(end.errors.contains("-1000000") && end.errors.contains(option.name), "\(end.errors)")
                #expect(!end.errors.contains("Missing value"), "\(command.title) \(option.name): \(end.errors)")
                count += 1
            }
        }
        #expect(count > 15)
    }

    @Test("what is misspelt is refused, with what was meant: commands, options, values")
    func suggestions() async throws {
        var count = 0
        for command in try await Self.everything() {
            for name in command.subcommands {
                let end = try await RunningProgram.run(command.program, command.words + [name + "x"])
                #expect(end.status == 2 && end.errors.contains("Did you mean '\(name)'?"), "\(end.errors)")
            }
            guard command.subcommands.isEmpty else { continue }
            if let option = command.options.first(where: { $0.name.count > 6 && $0.name != "--version" }) {
                let end = try await Self.run(command, option.name + "x")
                #expect(end.status == 2 && end.errors.contains("Did you mean '\(option.name)'?"), "\(end.errors)")
                count += 1
            }
            for option in command.options {
                guard let value = option.values.max(by: { $0.count < $1.count }) else { continue }
                let end = try await Self.run(command, option.name, value + "x")
                #expect(end.status == 2 && end.errors.contains("Did you mean '\(value)'?"), "\(end.errors)")
            }
        }
        #expect(count > 10)
        let event = try await RunningProgram.run(Programs.beaconctl, ["watch", "--event", "nearset"])
        #expect(event.status == 2 && event.errors.contains("Did you mean 'nearest'?"), "\(event.errors)")
    }

    @Test("who asks the daemon says how to start it where none runs, and ends with 1")
    func noDaemon() async throws {
        for command in try await Self.read(Programs.beaconctl) where command["--socket"] != nil {
            // A part of doctor, which asks the site and no daemon; and name, which writes into the configuration first.
            guard !["beaconctl content check", "beaconctl name"].contains(command.title) else { continue }
            let end = try await Self.run(command, "--socket", "/nonexistent/control.sock")
            #expect(end.status == 1 && end.errors.contains("start it with beacond"), "\(command.title): \(end.errors)")
            // These listen, or read the store, themselves.
            guard !["range", "sightings", "content"].contains(command.words[0]) else { continue }
            let none = try await Self.run(command)
            #expect(none.status == 1, "\(command.title): \(none.errors)")
            #expect(none.errors.contains("systemctl start beacond"), "\(command.title): \(none.errors)")
            #expect(none.output.isEmpty)
        }
    }

    @Test("the command for starting a daemon has a whole path, which is what beacond takes")
    func relativeSocket() async throws {
        let end = try await RunningProgram.run(Programs.beaconctl, ["status", "--socket", "no/such.sock"])
        let socket = FileManager.default.currentDirectoryPath + "/no/such.sock"
        // A folder with blanks in its name is quoted.
        let commands = ["beacond --socket \(socket)", "beacond --socket '\(socket)'"]
        #expect(end.status == 1 && commands.contains { end.errors.contains($0) }, "\(end.errors)")
    }

    @Test("beacons are filtered by the same option wherever many are listed")
    func filters() async throws {
        let filtering = try await Self.everything().filter { $0["--beacon"]?.names.contains("--uuid") == true }
        #expect(
            Set(filtering.map(\.title))
                == ["beaconctl range", "beaconctl sightings", "beaconctl report", "beaconctl health"])
    }
}
