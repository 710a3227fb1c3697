import ArgumentParser
import Beacon
import Console
import Listening
import Ranging
import Reports
import Settings
import Text

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Reports what was received: presence, dwell, levels and distances of every beacon.",
        discussion: """
            Without --source, the daemon's history is reported. A live source is listened to for --duration, or until \
            Ctrl-C.
            """)

    @OptionGroup var sources: SourceOptions

    @OptionGroup var site: SiteOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var socket: SocketOption

    @OptionGroup var options: ReportOptions

    @OptionGroup var wanted: BeaconFilterOptions

    func run() async throws {
        let specs = try sources.specs(reads: site.inputs, writes: [OutputFile(result: options.output)])
        guard !specs.isEmpty else {
            guard sources.isUnset, site.config == nil, duration.duration == nil else {
                throw CommandFailure.usage(
                    "what says how to listen (--duration, --config and the like) is for a --source; without one the "
                        + "daemon's history is reported: --since and --until say of when")
            }
            try AskingDaemon.instead(socket)
            throw CommandFailure.noDaemon("whose history could be reported", takesSource: true)
        }
        try AskingDaemon.requireUnnamed(socket)
        guard options.since == nil, options.until == nil else {
            throw CommandFailure.usage(
                "--since and --until are about the daemon's history, --source about another source")
        }
        let settings = try site.load()
        let run = try SourceRun(
            sources, specs: specs, duration: duration.duration, isFinite: false, tellsProgress: true)
        let result = try await run.run { [format = options.format, output = options.output, filter = wanted.filter] in
            ReportConsumer(format: format, path: output, site: settings, filter: filter)
        }
        if let problem = result.problem { throw problem }
    }
}

private struct ReportConsumer: SightingConsumer {
    let format: ReportFormat
    let path: String?
    let site: RangingConfiguration
    private let filter: BeaconFilter
    private var recording = SourceRecording()
    private var sources = RunSources()

    init(format: ReportFormat, path: String?, site: RangingConfiguration, filter: BeaconFilter) {
        self.filter = filter
        self.site = site
        self.format = format
        self.path = path
    }

    /// Live, rankings are due even when nothing is received.
    var wakeAfter: Duration? { .milliseconds(500) }

    mutating func begin(_ sources: RunSources) throws {
        try sources.requireTimes()
        try filter.requireNames(sources.names.values + site.beacons.givenNames)
        self.sources = sources
        recording = SourceRecording(settings: site.settings(for: sources.specs))
    }

    mutating func readClocks(wall: Timestamp, elapsed: Duration) {
        recording.readClocks(wall: wall, elapsed: elapsed)
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        recording.add(sighting)
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool {
        recording.isBlind = sources.hearing?.isBlind == true
        recording.isInDoubt = sources.hearing?.isInDoubt == true
        recording.advance(to: now)
        return true
    }

    mutating func flush() {}

    mutating func finish(isOver: Bool) throws {
        let report = try recording.report(names: sources.names, sources: sources.specs).named(by: site.beacons)
            .only(filter)
        let terminal = path == nil ? Terminal.current : Terminal(isTerminal: false)
        try ResultFile.write(report.rendered(as: format, terminal: terminal), to: path)
    }
}
