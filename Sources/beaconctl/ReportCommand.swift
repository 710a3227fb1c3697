import ArgumentParser
import Beacon
import Console
import Ranging
import SiteSettings

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Reports what was heard: presence, dwell, levels and distances of every beacon.",
        discussion: "A live source is listened to for --duration, or until Ctrl-C.")

    @OptionGroup var sources: SourceOptions

    @OptionGroup var site: SiteOptions

    @OptionGroup var duration: DurationOption

    @Option(name: .long, help: "text, json or csv.")
    var format: Format = .text

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file.", valueName: "file"))
    var output: String?

    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case text
        case json
        case csv
    }

    func run() async throws {
        let specs = try sources.specs()
        guard !specs.isEmpty else { throw ProgramExit.noDaemon("whose history could be reported") }
        let settings = try site.load()
        let run = try SourceRun(sources, specs: specs, duration: duration.duration, isFinite: false)
        let result = try await run.run { [format, output] in
            ReportConsumer(format: format, path: output, site: settings)
        }
        if let problem = result.problem { throw problem }
    }
}

private struct ReportConsumer: SightingConsumer {
    let format: ReportCommand.Format
    let path: String?
    let site: SiteRanging
    private var builder = ReportBuilder()
    private var sources = RunSources()

    init(format: ReportCommand.Format, path: String?, site: SiteRanging) {
        self.site = site
        self.format = format
        self.path = path
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) {
        self.sources = sources
        builder = ReportBuilder(settings: site.settings(for: sources.specs))
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        builder.add(copy sighting)
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool { true }

    mutating func flush() {}

    mutating func finish(isOver: Bool) throws {
        let report = ReportText(builder.report(), names: sources.names, sources: sources.specs)
        let text =
            switch format {
            case .text: report.text(path == nil ? .current : Terminal(isTerminal: false))
            case .json: report.json
            case .csv: report.csv
            }
        try ResultFile.write(text, to: path)
    }
}
