import Foundation
import TestSupport
import Testing

/// What messages tell people to type: pasted where that can be done, else compared with what there is.
@Suite("Remedies in messages", .serialized, .timeLimit(.minutes(10)))
struct RemedyTests {
    /// All sources without comments, each text that is put together of several as one.
    private static let sources: String = {
        let folder = "\(Programs.project)/Sources"
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        // Style sheets have names that look like options.
        let texts = files.filter { $0.hasSuffix(".swift") && !$0.contains("/HTML/") }.sorted().compactMap {
            try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        let lines = texts.joined(separator: "\n").split(separator: "\n")
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        return lines.joined(separator: "\n").replacing(/"\s*\+ "/, with: "").replacing(/\\\n\s*/, with: "")
    }()

    // MARK: - Our own programs

    /// A command with its options and what is below it.
    private struct Command {
        var options: Set<String> = ["--help", "--version"]
        var below: [String: Command] = [:]

        init() {}

        init(_ dump: [String: Any]) {
            for argument in dump["arguments"] as? [[String: Any]] ?? [] {
                for name in argument["names"] as? [[String: Any]] ?? [] {
                    guard let text = name["name"] as? String else { continue }
                    options.insert((text.count == 1 ? "-" : "--") + text)
                }
            }
            for command in dump["subcommands"] as? [[String: Any]] ?? [] {
                guard let name = command["commandName"] as? String else { continue }
                below[name] = Command(command)
            }
        }

        mutating func merge(_ other: Command) {
            options.formUnion(other.options)
            for (name, command) in other.below { below[name, default: Command()].merge(command) }
        }

        var all: Set<String> { below.values.reduce(options) { $0.union($1.all) } }
    }

    private static func command(_ program: String, _ words: [String] = []) async throws -> Command {
        let end = try await RunningProgram.run(Programs.path(of: program), words + ["--experimental-dump-help"])
        let json = try #require(try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
        return Command(try #require(json["command"] as? [String: Any]))
    }

    private static func programs() async throws -> [String: Command] {
        var beaconctl = try await command("beaconctl")
        beaconctl.merge(try await command("beaconctl-remote"))
        // `beaconctl config check` is the daemon's own reading.
        let beacond = try await command("beacond")
        var advertise = try await command("beacon-advertise")
        for name in ["play", "calibrate"] { advertise.below[name] = try await command("beacon-advertise", [name]) }
        let air = try await command("vhci-air")
        var server = try await command("beacon-content-server")
        for name in ["serve", "user", "publish", "rollback", "keygen", "export", "import", "backup", "check"] {
            server.below[name] = try await command("beacon-content-server", [name])
        }
        var fleet = try await command("beacon-fleet")
        for name in ["run", "locate", "bridge", "plan", "teach", "report"] {
            fleet.below[name] = try await command("beacon-fleet", [name])
        }
        return [
            "beaconctl": beaconctl, "beacond": beacond, "beacon-advertise": advertise,
            "beacon-content-server": server, "beacon-fleet": fleet, "vhci-air": air,
        ]
    }

    /// What follows a program's name where nothing is to be typed.
    private static let prose: Set<String> = [
        "is", "can", "will", "does", "did", "has", "have", "may", "asks", "runs", "listens", "sends", "on", "through",
        "and",
        "or", "says", "needs", "itself", "takes", "as", "group", "with", "under", "answers",
    ]

    @Test("name commands and options that there are")
    func commands() async throws {
        let programs = try await Self.programs()
        let found = Self.sources.matches(
            of: /[^\w.\/-](beaconctl|beacond|beacon-advertise|beacon-fleet)((?: +(?:\\\([^()]*\)|[^\s"';,:()`\\]+))+)/)
        #expect(found.count > 30)
        for match in found {
            let place = String(match.0)
            var command = try #require(programs[String(match.1)])
            var words = match.2.split(separator: " ").map(String.init)[...]
            while let word = words.first, let below = command.below[word] {
                command = below
                words.removeFirst()
            }
            let isCommand = words.count < match.2.split(separator: " ").count
            if !isCommand, match.1 == "beaconctl", let word = words.first, !word.hasPrefix("-"), !word.hasPrefix("\\(")
            {
                #expect(Self.prose.contains(word), "\(place)")
            }
            // After -- nothing is an option.
            for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
                let name = word.split(separator: "=").first.map(String.init) ?? word
                #expect(command.options.contains(name), "\(place): \(name)")
            }
        }
        // Those that are named alone.
        let all = programs.values.reduce(into: Set<String>()) { $0.formUnion($1.all) }
        for match in Self.sources.matches(of: /[^\w-](--[a-z][a-z-]+)/) {
            let name = String(match.1)
            #expect(all.contains(name) || Self.othersOptions.contains(name), "\(name)")
        }
    }

    private static let othersOptions: Set<String> = [
        "--signal", "--append", "--groups", "--experimental-dump-help", "--raw", "--quiet",
        // setpriv, and beacon-content-images, which only the server starts
        "--pdeathsig", "--pixels", "--memory",
    ]

    @Test("name settings and files that there are")
    func names() throws {
        let settings = try String(contentsOfFile: "\(Programs.project)/docs/configuration.md", encoding: .utf8)
        let sections = Set(settings.matches(of: /\| `([a-z]+)\./).map { String($0.1) })
        #expect(sections.count > 5)
        var count = 0
        for match in Self.sources.matches(of: /[^\w.\/]([a-z]+)\.([a-z_]+(?:\.[a-z_]+)*)(?![\w.(])/) {
            guard sections.contains(String(match.1)), match.2.contains("_") else { continue }
            count += 1
            #expect(settings.contains("`\(match.1).\(match.2)`"), "\(match.0)")
        }
        #expect(count > 30)
        for match in Self.sources.matches(of: /[^\w\/]((?:docs|examples|systemd)\/[a-z\/-]+\.[a-z]+)/) {
            #expect(FileManager.default.fileExists(atPath: "\(Programs.project)/\(match.1)"), "\(match.1)")
        }
    }

    // MARK: - Programs of others

    /// What is told to be typed of each, and what of it needs root's rights.
    private static let others: [String: (verbs: Set<String>, ofRoot: Set<String>)] = [
        "systemctl": (
            ["start", "restart", "stop", "status", "edit", "kill"], ["start", "restart", "stop", "edit", "kill"]
        ),
        "bluetoothctl": (["power", "show", "list", "scan", "select"], []),
        "rfkill": (["list", "unblock"], ["unblock"]), "journalctl": (["-u"], []),
        "timedatectl": (["set-ntp"], ["set-ntp"]),
        // The second where the message says "as root".
        "modprobe": (["bluetooth", "hci_vhci"], ["bluetooth"]),
        "setcap": (["\\(name)+ep"], ["\\(name)+ep"]), "pgrep": (["-af"], []), "usermod": (["--append"], ["--append"]),
        "openssl": (["x509", "pkey", "dgst", "rand", "genpkey"], []),
    ]

    @Test("name commands of the system in forms that are known here, and with sudo where they need it")
    func system() {
        let names = Self.others.keys.sorted().joined(separator: "|")
        let pattern = "(?:[^\\w./`-]|^)(sudo )?(\(names)) ((?:\\\\\\([^()]*\\)|[^\\s\",;)])+)"
        guard let pattern = try? Regex(pattern, as: (Substring, Substring?, Substring, Substring).self) else {
            Issue.record("the pattern is wrong")
            return
        }
        var used: Set<String> = []
        for match in Self.sources.matches(of: pattern) {
            guard let known = Self.others[String(match.2)] else { continue }
            let verb = String(match.3)
            #expect(known.verbs.contains(verb), "\(match.0)")
            #expect((match.1 != nil) == known.ofRoot.contains(verb), "\(match.0)")
            used.insert(String(match.2))
        }
        #expect(used == Set(Self.others.keys))
        for match in Self.sources.matches(of: /(sudo )?hciconfig (?:\\\([^()]*\)|\w|\\)+ (?:up|down|reset)/) {
            #expect(match.1 != nil, "\(match.0)")
        }
    }

    @Test(
        "name verbs that the system's own programs tell of",
        .enabled(
            if: Programs.installed("systemctl") != nil && Programs.installed("timedatectl") != nil,
            "systemctl or timedatectl is not installed"),
        arguments: ["systemctl", "timedatectl"])
    func verbs(tool: String) async throws {
        let known = try #require(Self.others[tool])
        let help = try await RunningProgram.run(tool, ["--help"]).output
        for verb in known.verbs { #expect(help.contains("\n  \(verb) "), "\(tool) \(verb)") }
    }

    @Test(
        "make the pin of a key with openssl as it is written",
        .enabled(if: Programs.installed("openssl") != nil, "openssl is not installed"))
    func pin() async throws {
        let folder = try TemporaryFolder()
        let made = try await RunningProgram.run(
            "/bin/bash",
            [
                "-c",
                "cd '\(folder)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "
                    + "/CN=site -keyout key.pem -out site.pem",
            ])
        #expect(made.status == 0, "\(made.errors)")
        let written = Set(Self.sources.matches(of: /openssl x509 .*? \| base64/).map { String($0.0) })
        #expect(written.count == 1, "\(written)")
        for command in written {
            let end = try await RunningProgram.run(
                "/bin/bash", ["-c", "cd '\(folder)' && " + command.replacing("CERTIFICATE", with: "site.pem")])
            #expect(end.status == 0 && end.lines.count == 1, "\(end.errors)")
            try "content: {base_url: https://example.org, pinned_keys: [\"\(end.lines.first ?? "")\"]}\n"
                .write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
            let check = try await RunningProgram.run(Programs.beaconctl, ["config", "check", "\(folder)/beacond.yaml"])
            #expect(check.status == 0, "\(check.errors)")
        }
    }

    @Test(
        "make a secret with openssl that is taken as a token",
        .enabled(if: Programs.installed("openssl") != nil, "openssl is not installed"))
    func secret() async throws {
        let folder = try TemporaryFolder()
        let command = try #require(Self.sources.firstMatch(of: /openssl rand -[a-z0-9]+ \d+/)).0
        try "http: {listen: 8080, token_file: \(folder)/token}\n"
            .write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
        let made = try await RunningProgram.run(
            "/bin/bash", ["-c", "umask 077; \(command) > '\(folder)/token'"])
        #expect(made.status == 0, "\(made.errors)")
        let check = try await RunningProgram.run(Programs.beaconctl, ["config", "check", "\(folder)/beacond.yaml"])
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test(
        "let a service read a secret as it is written",
        .enabled(if: OtherUser.isAvailable, OtherUser.condition),
        arguments: [
            ("beacond", "beaconctl", ["config", "check", "FOLDER/beacond.yaml"]),
            // What comes after the password is wrong, so that it ends.
            (
                "beacon-fleet", "beacon-fleet",
                [
                    "run", "--mqtt", "mqtt://ana@127.0.0.1:1", "--password-file", "FOLDER/secret", "--http",
                    "0.0.0.0:8090",
                ]
            ),
            (
                "beacon-content", "beacon-content-server",
                ["serve", "--tls-certificate", "FOLDER/secret", "--tls-key", "FOLDER/secret", "--state", "FOLDER"]
            ),
        ])
    func protectedSecret(group: String, program: String, arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let (secret, configuration) = (folder.path("secret"), folder.path("beacond.yaml"))
        try "a-secret-of-ana\n".write(toFile: secret, atomically: true, encoding: .utf8)
        try "mqtt: {url: \"mqtt://ana@127.0.0.1\", password_file: \(secret)}\n"
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        try #require(chmod(folder.path, 0o755) == 0 && chmod(secret, 0o600) == 0 && chmod(configuration, 0o644) == 0)
        let words = arguments.map { $0.replacing("FOLDER", with: folder.path) }
        func run() async throws -> RunningProgram.Outcome {
            try await RunningProgram.run("setpriv", OtherUser.options + [Programs.path(of: program)] + words)
        }
        let refused = try await run()
        #expect(refused.status != 0 && refused.errors.contains("Permission denied"), "\(refused.errors)")
        let found = refused.errors.firstMatch(of: /for the service, as root: chgrp (\S+) (\S+ && chmod 640 \S+)/)
        let command = try #require(found, "\(refused.errors)")
        #expect(command.1 == group)
        // The group of the other user stands for the service's, which need not be there.
        let typed = try await RunningProgram.run("/bin/bash", ["-c", "chgrp 65534 \(command.2)"])
        #expect(typed.status == 0, "\(typed.errors)")
        let again = try await run()
        #expect(!again.errors.contains("Permission denied"), "\(again.errors)")
    }

    @Test(
        "find who else sends with pgrep as it is written",
        .enabled(if: Programs.installed("pgrep") != nil, "pgrep is not installed"))
    func search() async throws {
        let written = Set(Self.sources.matches(of: /pgrep [a-z -]*beacon-advertise/).map { String($0.0) })
        let command = try #require(written.first)
        #expect(written.count == 1)
        let folder = try TemporaryFolder()
        let scene = "\(Programs.project)/examples/tour.yaml"
        let air = try RunningProgram(Programs.beaconAdvertise, ["play", scene, "--air", "h4:unix:\(folder)/air"])
        try await air.waitUntil("it plays") { $0.errors.contains("the air is at") }
        let end = try await RunningProgram.run("/bin/bash", ["-c", command])
        #expect(end.status == 0 && end.output.contains("play \(scene)"), "\(end.output)\(end.errors)")
        _ = try await air.stop(with: SIGTERM)
    }

    @Test(
        "give a program the right that it lacks with setcap as it is written",
        .enabled(
            if: Programs.installed("setcap") != nil && getuid() == 0, "setcap is not installed, or this is not root"))
    func right() async throws {
        let written = Set(Self.sources.matches(of: /setcap \\\(name\)\S* \\\(program\)/).map { String($0.0) })
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: "\(folder)/program")
        #expect(written.count == 1)
        for command in written {
            for name in ["cap_net_raw", "cap_net_admin"] {
                let typed = command.replacing("\\(name)", with: name).replacing(
                    "\\(program)", with: "\(folder)/program")
                let end = try await RunningProgram.run(
                    "/bin/bash", ["-c", "\(typed) && getcap '\(folder)/program'"],
                    environment: ["PATH": "/usr/sbin:/usr/bin:/bin"])
                let isRefused = end.errors.contains("Operation not permitted") || end.errors.contains("not supported")
                #expect(isRefused || end.output.contains(name), "\(typed): \(end.errors)")
            }
        }
    }

    // MARK: - The doctor

    @Test("of the doctor that are ours can be typed as they stand")
    func doctor() async throws {
        let folder = try TemporaryFolder()
        try "sources: [sim\n".write(toFile: "\(folder)/bad.yaml", atomically: true, encoding: .utf8)
        let bad = try await RunningProgram.run(Programs.beaconctl, ["doctor", "--config", "\(folder)/bad.yaml"])
        let command = try #require(bad.errors.firstMatch(of: /see: (beaconctl .*)/), "\(bad.errors)").1
        let check = try await RunningProgram.run(
            "/bin/bash", ["-c", "'\(Programs.beaconctl)'" + command.dropFirst("beaconctl".count)])
        #expect(check.status == 1 && check.errors.contains("bad.yaml:"), "\(check.errors)")
        // A source that no board is needed for, as the doctor names it where there is no adapter.
        let none = try await RunningProgram.run(Programs.beaconctl, ["doctor", "--source", "hci250", "--listen", "1"])
        #expect(none.status == 1)
        for match in none.output.matches(of: /--source (sim|h4:[^…\s]+)/) {
            let again = try await RunningProgram.run(
                Programs.beaconctl, ["doctor", "--source", String(match.1), "--listen", "1"])
            #expect(again.status == 0, "\(again.output)")
        }
    }
}
