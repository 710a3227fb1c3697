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
        abstract: "Checks everything that listening depends on, and says what to do.",
        discussion: """
            Exit status 1 if a problem prevents listening. Ctrl-C ends it with what was found so far.
            """)

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
        try FilesApart.require(doctor.source.flatMap { InputFile(of: $0) }.map { [$0] } ?? [])
        doctor.listening = listen
        let site = baseURL ?? outline?.baseURL
        let examination = Examination(
            of: doctor.checks.flatMap(\.names) + (site == nil ? [] : [CheckLine.site]), result.format, .current)
        // bluetoothd may not answer, so its check is not waited for.
        try await UntilStopped.run(
            for: nil, isFinite: true, grace: .seconds(2), onSignal: { examination.interrupt() }
        ) { [doctor] in
            await doctor.examine { examination.note($0, $1) }
        }
        if let site { throw checking(site, after: examination) }
        if result.format == .json { Program.output(examination.json + "\n") }
        if examination.hasFailed { throw CommandFailure.reported }
    }

    /// Becomes the program that makes requests as the daemon does, with its TLS, proxy, token and keys. Returns only if
    /// that fails.
    private func checking(_ site: String, after examination: Examination) -> CommandFailure {
        var words = ["check", "--base-url", site] + (config.map { ["--config", $0] } ?? [])
        if examination.hasFailed { words.append("--failed") }
        if result.format == .json { words += ["--before", examination.json] }
        // What is in the file of --output makes room for what the other program writes.
        StandardOutput.begin()
        return AskingDaemon.become("content", words)
    }
}

/// What was found so far. As text it is written at once, as JSON at the end.
private final class Examination: Sendable {
    private struct State {
        var findings: [Finding] = []
        /// The names of checks without a result.
        var missing: [String]
        var isInterrupted = false
    }

    private let state: Mutex<State>
    private let format: TextFormat
    private let terminal: Terminal

    /// - Parameter checks: the names of all that will be made.
    init(of checks: [String], _ format: TextFormat, _ terminal: Terminal) {
        state = Mutex(State(missing: checks))
        self.format = format
        self.terminal = terminal
    }

    var hasFailed: Bool { state.withLock { $0.findings.contains { $0.verdict == .failure } } }

    var json: String { Self.json(state.withLock { $0.findings }) }

    func note(_ check: Doctor.Check, _ findings: [Finding]) {
        state.withLock { state in
            guard !state.isInterrupted else { return }
            state.missing.removeAll { check.names.contains($0) }
            state.findings += findings
            guard format == .text else { return }
            for finding in findings { Program.output(Self.text(finding, terminal) + "\n") }
        }
    }

    /// A signal came: writes what is known, and which checks are missing. Nothing is noted after it.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            if format == .json { Program.output(Self.json(state.findings) + "\n") }
            Program.write(CheckLine.interruption(before: state.missing) + "\n")
        }
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
