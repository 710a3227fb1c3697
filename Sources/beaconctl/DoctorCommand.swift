import ArgumentParser
import Console
import Doctor
import Listening
import SiteSettings
import Synchronization

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks at everything that listening depends on, and says what to do.",
        discussion: "Exit status 1 when something is found that keeps it from working.")

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What to listen with (default: the configuration's first source, or the first adapter).", valueName: "source"))
    var source: String?

    @Option(name: .long, help: ArgumentHelp("How long the listening test takes.", valueName: "seconds"))
    var listen: Double = 10

    @Option(
        name: .long, help: ArgumentHelp("The content site to reach (default: the configuration's).", valueName: "url"))
    var baseURL: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The daemon's configuration (default: \(SiteRanging.defaultFile)).", valueName: "file"))
    var config: String?

    @Flag(name: .long, help: "One JSON array.")
    var json = false

    func validate() throws {
        guard listen >= 1, listen <= 3600 else {
            throw ValidationError("--listen is a number of seconds from 1 to 3600, not \(listen).")
        }
    }

    func run() async throws {
        var doctor = Doctor()
        let outline = SiteOutline(file: config ?? SiteRanging.defaultFile)
        if let config, outline == nil {
            throw ProgramExit.usage("--config: \(config) cannot be read, or is no YAML; see: beacond --config \(config)")
        }
        doctor.source = try (source ?? outline?.sources.first).map { try SourceSpec($0) }
        if doctor.source?.isFile == true {
            throw ProgramExit.usage("--source: a capture cannot be examined; name an adapter or a controller")
        }
        doctor.listening = listen
        doctor.baseURL = baseURL ?? outline?.baseURL
        let findings = Mutex<[Finding]>([])
        let terminal = Terminal.current
        let isText = !json
        await doctor.examine { finding in
            findings.withLock { $0.append(finding) }
            if isText { print(Self.text(finding, terminal)) }
        }
        let all = findings.withLock { $0 }
        if json { print(Self.json(all)) }
        if all.contains(where: { $0.verdict == .failure }) { throw ProgramExit(1) }
    }

    private static func text(_ finding: Finding, _ terminal: Terminal) -> String {
        let mark =
            switch finding.verdict {
            case .ok: terminal.styled(pad("ok", -7), .green)
            case .warning: terminal.styled(pad("warning", -7), .yellow)
            case .failure: terminal.styled(pad("FAILURE", -7), .bold)
            }
        let line = "\(mark)  \(pad(finding.check, -14))  \(finding.detail)"
        return finding.remedy.isEmpty ? line : line + "\n" + String(repeating: " ", count: 25) + finding.remedy
    }

    private static func json(_ findings: [Finding]) -> String {
        var json = JSONText()
        json.array { json in
            for finding in findings {
                json.object { json in
                    json.value("check", finding.check)
                    json.value("verdict", finding.verdict.rawValue)
                    json.value("detail", finding.detail)
                    json.value("remedy", finding.remedy.isEmpty ? nil : finding.remedy)
                }
            }
        }
        return json.text
    }
}
