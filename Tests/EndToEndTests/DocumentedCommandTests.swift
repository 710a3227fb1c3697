import Foundation
import Testing
import TestSupport

/// README and docs are read by people who paste what they show.
@Suite("The documentation", .timeLimit(.minutes(10)))
struct DocumentedCommandTests {
    @Test("has commands that work as they are written", arguments: try Document.all().filter { !$0.shown.isEmpty })
    func commands(document: Document) async throws {
        let folder = try TemporaryFolder()
        let desk = try Desk(folder.path)
        try await desk.start()
        for fence in document.shown { try await desk.run(fence, of: document) }
    }

    @Test("gives a reason for each command that is not run")
    func reasons() throws {
        for document in try Document.all() {
            for fence in document.fences where fence.isExempt {
                let place = "\(document.name):\(fence.line)"
                #expect(fence.reason.count > 8, "\(place)")
                #expect(fence.language.isEmpty, "\(place) has a language, and would not be run anyway")
                for words in fence.exempted {
                    #expect(fence.lines.contains { $0.contains(words) }, "\(place) has no \(words)")
                }
            }
        }
    }

    @Test("shows the examples as they are")
    func examples() throws {
        var shown: Set<String> = ["README.md"]
        for document in try Document.all() {
            for fence in document.fences {
                let place = "\(document.name):\(fence.line)"
                if let example = fence.example {
                    shown.insert(example)
                    let file = try String(contentsOfFile: "\(Programs.project)/examples/\(example)", encoding: .utf8)
                    #expect(file == fence.lines.map { $0 + "\n" }.joined(), "\(place) is not examples/\(example)")
                } else {
                    #expect(fence.language != "yaml", "\(place) shows a file that is not in examples/")
                }
            }
            // One that is written by a command.
            let text = document.lines.joined(separator: "\n") + "\n"
            for file in try Self.exampleFiles() where !shown.contains(file) {
                let content = try String(contentsOfFile: "\(Programs.project)/examples/\(file)", encoding: .utf8)
                if text.contains(content) { shown.insert(file) }
            }
        }
        #expect(try Self.exampleFiles() == shown)
    }

    @Test(
        "has examples of configurations that are good",
        arguments: ["beacond", "every-part", "fleet", "page", "hooks", "mqtt", "reports-mqtt"])
    func configurations(name: String) async throws {
        let secret = try temporaryFolder("secret") + "/password"
        try "correct horse battery staple\n".write(toFile: secret, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        // The script is beside the example, and not where it would be installed.
        let examples = "\(Programs.project)/examples"
        let file = try temporaryFolder("example") + "/\(name).yaml"
        try String(contentsOfFile: "\(examples)/\(name).yaml", encoding: .utf8)
            .replacing("/usr/local/bin/show-exhibit", with: "\(examples)/show-exhibit")
            .write(toFile: file, atomically: false, encoding: .utf8)
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["config", "check", file],
            environment: name.contains("mqtt") ? ["BEACOND_MQTT_PASSWORD_FILE": secret] : [:])
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.contains("is good"))
    }

    @Test("has examples of scenes, scenarios and beacons that are played")
    func played() async throws {
        let examples = "\(Programs.project)/examples"
        let scene = try await RunningProgram.run(
            Programs.beaconAdvertise, ["play", "\(examples)/tour.yaml", "--check"])
        #expect(scene.status == 0 && scene.output.contains("5 beacons"), "\(scene.output)\(scene.errors)")
        let walk = try await RunningProgram.run(
            Programs.beaconctl, ["range", "--source", "sim:\(examples)/walk.yaml", "--once"])
        #expect(walk.status == 0 && walk.output.contains("Steam Engine"), "\(walk.output)\(walk.errors)")
        let lobby = try await RunningProgram.run(
            Programs.beaconAdvertise, ["--config", "\(examples)/advertise/lobby.yaml", "--dry-run"])
        #expect(
            lobby.status == 0 && lobby.output.lowercased().contains("7a 0e 5f 3c"), "\(lobby.output)\(lobby.errors)")
    }

    @Test("has an example of a hook that keeps the nearest exhibit in a file", arguments: ["Whale Skeleton", nil])
    func hook(name: String?) async throws {
        let folder = try TemporaryFolder()
        let end = try await RunningProgram.run(
            "\(Programs.project)/examples/show-exhibit",
            environment: ["SHOW_EXHIBIT_FOLDER": folder.path, "BEACOND_BEACON_NAME": name])
        #expect(end.status == 0, "\(end.errors)")
        let shown = try String(contentsOfFile: "\(folder)/exhibit", encoding: .utf8)
        #expect(shown == (name ?? "no exhibit is near") + "\n")
    }

    @Test("links to what is there", arguments: try Document.all())
    func links(document: Document) throws {
        for (number, line) in document.linesOutsideFences {
            for match in line.matches(of: /\]\(([^)\s]+)\)/) {
                let target = String(match.1)
                guard !target.contains("://"), !target.hasPrefix("mailto:") else { continue }
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                    .map(String.init)
                let file = parts[0].isEmpty ? document.path : document.folder + "/" + parts[0]
                #expect(FileManager.default.fileExists(atPath: file), "\(document.name):\(number) \(target)")
                guard parts.count > 1, file.hasSuffix(".md") else { continue }
                let anchors = try Document(path: file).anchors
                #expect(anchors.contains(parts[1]), "\(document.name):\(number) \(target)")
            }
        }
    }

    @Test("names files of this tree that are there", arguments: try Document.all())
    func paths(document: Document) throws {
        for (number, line) in document.linesOutsideFences {
            let named = /`((?:Sources|Tests|docs|tools|systemd|examples|Benchmarks)\/[^`\s*<>{}…]*)/
            for match in line.matches(of: named) {
                let path = String(match.1).trimmingCharacters(in: CharacterSet(charactersIn: "/.,"))
                let isThere = FileManager.default.fileExists(atPath: "\(Programs.project)/\(path)")
                #expect(isThere, "\(document.name):\(number) \(path)")
            }
        }
    }

    @Test("names source files that are there", arguments: try Document.all())
    func sources(document: Document) throws {
        let all = try FileManager.default.subpathsOfDirectory(atPath: "\(Programs.project)/Sources")
            .map { "/Sources/\($0)" }
        for (number, line) in document.linesOutsideFences {
            for match in line.matches(of: /`([A-Za-z][A-Za-z\/+]*\.swift)`/) {
                let name = String(match.1)
                #expect(all.contains { $0.hasSuffix("/" + name) }, "\(document.name):\(number) \(name)")
            }
        }
    }

    private static func exampleFiles() throws -> Set<String> {
        let folder = "\(Programs.project)/examples"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Set(names.filter { (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\($0)")) == nil })
    }
}

/// Where commands of the documentation are run: the examples in a folder, the programs in the path, and a daemon that
/// hears the emulated air.
private final class Desk {
    private let folder: String
    private var daemon: RunningProgram?
    private var running: [(place: String, line: String, program: RunningProgram)] = []

    private var socket: String { "\(folder)/control.sock" }

    init(_ folder: String) throws {
        self.folder = folder
        let examples = "\(Programs.project)/examples"
        for name in try FileManager.default.contentsOfDirectory(atPath: examples) {
            try FileManager.default.copyItem(atPath: "\(examples)/\(name)", toPath: "\(folder)/\(name)")
        }
    }

    func start() async throws {
        let configuration = "\(folder)/desk.yaml"
        try """
            sources: [sim]
            directories: {state: \(folder)/state, cache: \(folder)/cache}

            """.write(toFile: configuration, atomically: true, encoding: .utf8)
        daemon = try RunningProgram(
            Programs.beacond, ["--config", configuration], environment: ["BEACOND_CONTROL_SOCKET": socket])
        try await daemon?.waitUntil("it hears, and can be asked") { daemon in
            daemon.errorLines.contains { $0.contains("nearest") } && FileManager.default.fileExists(atPath: socket)
        }
    }

    /// Each command after the other. What goes on until it is stopped does so beside the next ones, and is stopped at
    /// the end, as with Ctrl-C.
    func run(_ fence: Document.Fence, of document: Document) async throws {
        for (number, line) in fence.commands {
            let place = "\(document.name):\(number) \(line)"
            let program = try start(line)
            running.append((place, line, program))
            // What comes next is received from this air.
            if line.contains(" --air ") {
                try await program.waitUntil("its air is there") { $0.errors.contains("playing ") }
            }
            // A finite one comes to its end; to cut it short would be a failure.
            if line.contains("--duration") { _ = try await program.wait() }
            let deadline = ContinuousClock.now + .seconds(12)
            // Something has to be seen of it before the next one.
            while program.status == nil, ContinuousClock.now < deadline {
                let hasShown = !program.output.isEmpty || !program.errors.isEmpty
                if hasShown, ContinuousClock.now + .seconds(4) > deadline { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(
                (program.status ?? 0) == 0, "\(place)\n\(program.output.suffix(600))\n\(program.errors.suffix(600))")
        }
        for (place, line, program) in running.reversed() where program.status == nil {
            program.signal(SIGINT)
            var end = try await program.wait()
            // Programs of others may be ended by it; they have shown something then.
            let isOurs = place.contains(" beacon")
            // A finite one that a busy machine has not let come to its end: it gets the time that it needs.
            if isOurs, end.status == 128 + SIGINT { end = try await start(line).wait() }
            let isStopped = end.status == 0 || !isOurs && end.status == 128 + SIGINT
            #expect(isStopped, "\(place) ended with \(end.status)\n\(end.errors.suffix(600))")
            #expect(!end.output.isEmpty || !end.errors.isEmpty, "\(place) shows nothing")
        }
        running = []
    }

    private func start(_ line: String) throws -> RunningProgram {
        try RunningProgram(
            "/bin/bash", ["-c", "cd '\(folder)' && exec \(here(line))"],
            environment: ["PATH": path, "BEACOND_CONTROL_SOCKET": socket, "XDG_RUNTIME_DIR": folder])
    }

    /// Places of the whole system as places in the folder.
    private func here(_ line: String) -> String {
        line.replacingOccurrences(of: "/tmp/", with: folder + "/")
            .replacingOccurrences(of: "/run/beacond/control.sock", with: socket)
    }

    private var path: String {
        let programs = URL(filePath: Programs.beaconctl).deletingLastPathComponent().path
        return "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    }
}

/// A Markdown file of README or docs.
struct Document: Sendable, CustomTestStringConvertible {
    /// A block between two lines of three backticks.
    struct Fence: Sendable {
        /// Of the first of the three backticks, from 1.
        var line: Int
        var language: String
        var lines: [String]
        /// `<!-- examples/NAME -->` before it.
        var example: String?
        /// `<!-- not run: REASON -->` or `<!-- not run where "WORDS" or "WORDS": REASON -->` before it.
        var isExempt = false
        var exempted: [String] = []
        var reason = ""

        /// What is run, with its line. Lines that end with a backslash go on.
        var commands: [(line: Int, text: String)] {
            guard !isExempt || !exempted.isEmpty else { return [] }
            var commands: [(line: Int, text: String)] = []
            var rest = ""
            for (index, text) in lines.enumerated() {
                let text = text.hasPrefix("$ ") ? String(text.dropFirst(2)) : text
                if text.hasSuffix("\\") {
                    rest += text.dropLast()
                    continue
                }
                let whole = rest + text
                rest = ""
                let isRun = !whole.isEmpty && !whole.hasPrefix("#") && !exempted.contains { whole.contains($0) }
                if isRun { commands.append((line + 1 + index, whole)) }
            }
            return commands
        }
    }

    let path: String
    let lines: [String]
    let fences: [Fence]

    var name: String { String(path.dropFirst(Programs.project.count + 1)) }
    var folder: String { URL(filePath: path).deletingLastPathComponent().path }
    /// The blocks with commands.
    var shown: [Fence] { fences.filter { $0.language.isEmpty && !$0.commands.isEmpty } }
    var testDescription: String { name }

    static func all() throws -> [Document] {
        let docs = try FileManager.default.contentsOfDirectory(atPath: "\(Programs.project)/docs").sorted()
        let names = ["README.md", "examples/README.md"] + docs.filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
        return try names.map { try Document(path: "\(Programs.project)/\($0)") }
    }

    init(path: String) throws {
        self.path = path
        lines = try String(contentsOfFile: path, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var fences: [Fence] = []
        var open: Fence?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if let fence = open {
                    fences.append(fence)
                    open = nil
                } else {
                    open = Self.fence(
                        at: index + 1, String(line.dropFirst(3)), after: index > 0 ? lines[index - 1] : "")
                }
            } else {
                open?.lines.append(line)
            }
        }
        self.fences = fences
    }

    private static func fence(at line: Int, _ language: String, after comment: String) -> Fence {
        var fence = Fence(line: line, language: language, lines: [])
        if let match = comment.wholeMatch(of: /<!-- examples\/(\S+) -->/) { fence.example = String(match.1) }
        if let match = comment.wholeMatch(of: /<!-- not run(?: where (.*?"))?: (.*) -->/) {
            fence.isExempt = true
            fence.reason = String(match.2)
            fence.exempted = match.1.map { words in words.matches(of: /"([^"]+)"/).map { String($0.1) } } ?? []
        }
        return fence
    }

    var linesOutsideFences: [(number: Int, text: String)] {
        var isInside = false
        return lines.enumerated().compactMap { index, line in
            if line.hasPrefix("```") {
                isInside.toggle()
                return nil
            }
            return isInside ? nil : (index + 1, line)
        }
    }

    /// What headings are linked by.
    var anchors: Set<String> {
        Set(linesOutsideFences.filter { $0.text.hasPrefix("#") }.map { _, line in
            let words = line.drop { $0 == "#" }.dropFirst().lowercased()
            return words.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                .replacingOccurrences(of: " ", with: "-")
        })
    }
}
