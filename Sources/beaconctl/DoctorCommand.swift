import ArgumentParser
import Console
import Doctor
import Listening
import Settings
import Synchronization
import Text

struct DoctorCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks at everything that listening depends on, and says what to do.",
        discussion: "Exit status 1 when something is found that keeps it from working.")

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What to listen with (default: the configuration's first source, or the first adapter).",
            valueName: "source"))
    var source: String?

    @Option(name: .long, help: ArgumentHelp("How long the listening test takes.", valueName: "seconds"))
    var listen: Double = 10

    @Option(
        name: .long, help: ArgumentHelp("The content site to reach (default: the configuration's).", valueName: "url"))
    var baseURL: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The daemon's configuration (default: \(RangingConfiguration.defaultFile)).", valueName: "file"))
    var config: String?

    @OptionGroup var result: ResultOptions<TextFormat>

    func validate() throws {
        guard listen >= 1, listen <= 3600 else {
            throw ValidationError("--listen is a number of seconds from 1 to 3600, not \(listen).")
        }
    }

    func run() async throws {
        try FilesApart.require([.configuration(config ?? RangingConfiguration.defaultFile)])
        var doctor = Doctor()
        let outline = SiteOutline(file: config ?? RangingConfiguration.defaultFile)
        if let config, outline == nil {
            throw CommandFailure.usage(
                "--config: \(config) cannot be read, or is no YAML; see: beaconctl config check \(config)")
        }
        doctor.source = try (source ?? outline?.sources.first).map { try SourceSpec($0) }
        if doctor.source?.isFile == true {
            throw CommandFailure.usage("--source: a capture cannot be examined; name an adapter or a controller")
        }
        doctor.listening = listen
        let findings = Mutex<[Finding]>([])
        let terminal = Terminal.current
        let isText = result.format == .text
        await doctor.examine { finding in
            findings.withLock { $0.append(finding) }
            if isText { Program.output(Self.text(finding, terminal) + "\n") }
        }
        let all = findings.withLock { $0 }
        let hasFailed = all.contains { $0.verdict == .failure }
        if let site = baseURL ?? outline?.baseURL {
            // The other program makes the requests as the daemon does, with its TLS, proxy, token and keys.
            var words = ["check", "--base-url", site] + (config.map { ["--config", $0] } ?? [])
            if hasFailed { words.append("--failed") }
            if !isText { words += ["--before", Self.json(all)] }
            // What is in the file of --output makes room for what the other program writes.
            StandardOutput.begin()
            throw AskingDaemon.become("content", words)
        }
        if !isText { Program.output(Self.json(all) + "\n") }
        if hasFailed { throw CommandFailure.reported }
    }

    private static func text(_ finding: Finding, _ terminal: Terminal) -> String {
        CheckLine.text(
            .init(rawValue: finding.verdict.rawValue) ?? .failure, finding.check, finding.detail, finding.remedy,
            terminal)
    }

    private static func json(_ findings: [Finding]) -> String {
        findings.reduce("[]") { json, finding in
            CheckLine.joined(
                json, CheckLine.json(finding.check, finding.verdict.rawValue, finding.detail, finding.remedy))
        }
    }
}
