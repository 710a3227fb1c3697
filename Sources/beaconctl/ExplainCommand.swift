import ArgumentParser
import Beacon
import Console
import Listening
import Ranging
import Settings
import Text

struct ExplainCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains a beacon's rank: readings, level, distance, and why it is (not) the nearest.",
        discussion: """
            Without --source, the daemon is asked. A live source is listened to for --duration (10 seconds by \
            default); a capture is read to its end, \
            or to --at.
            """)

    @Argument(
        help: ArgumentHelp(
            "UUID/MAJOR/MINOR, as much of it as is enough (MAJOR.MINOR), or a name.", valueName: "beacon"))
    var beacon: BeaconQuery

    @OptionGroup var sources: SourceOptions

    @OptionGroup var socket: SocketOption

    @OptionGroup var site: SiteOptions

    @OptionGroup var duration: DurationOption

    @Option(name: .long, help: ArgumentHelp("The instant of a capture to explain, in RFC 3339.", valueName: "time"))
    var at: String?

    @OptionGroup var result: ResultOptions<TextFormat>

    func run() async throws {
        let specs = try sources.specs(reads: site.inputs)
        guard !specs.isEmpty else {
            guard sources.isUnset, site.config == nil, duration.duration == nil, at == nil else {
                throw CommandFailure.usage(
                    "what says how to listen (--at, --duration, --config and the like) is for a --source; without one "
                        + "the daemon is asked what is true now")
            }
            try AskingDaemon.instead(socket)
            throw CommandFailure.noDaemon("that could be asked", takesSource: true)
        }
        try AskingDaemon.requireUnnamed(socket)
        let end = try at.map { text in
            guard specs.allSatisfy(\.isFile) else {
                throw CommandFailure.usage("--at is an instant of a capture: a live source is at the present one")
            }
            guard let time = Timestamp(rfc3339: text) else {
                throw CommandFailure.usage("--at: '\(text)' is no RFC 3339 time, as in 2026-01-31T12:00:00Z")
            }
            return time
        }
        let limit = duration.duration ?? (specs.allSatisfy(\.isFile) ? nil : 10)
        let settings = try site.load()
        let run = try SourceRun(sources, specs: specs, duration: limit, isFinite: true, tellsProgress: true)
        let format = result.format
        let outcome = try await run.run { [beacon] in
            ExplanationConsumer(beacon: beacon, site: settings, end: end, format: format)
        }
        if let problem = outcome.problem { throw problem }
    }
}

private struct ExplanationConsumer: SightingConsumer {
    let beacon: BeaconQuery
    let site: RangingConfiguration
    let end: Timestamp?
    let format: TextFormat
    private var ticks: RangingTicks
    private var heard: Set<BeaconID> = []
    /// The first sighting's time, where it is after `end`.
    private var firstAfter: Timestamp?
    private var sources = RunSources()

    init(beacon: BeaconQuery, site: RangingConfiguration, end: Timestamp?, format: TextFormat) {
        self.beacon = beacon
        self.site = site
        self.end = end
        self.format = format
        ticks = RangingTicks(interval: site.interval)
    }

    var wakeAfter: Duration? { .seconds(min(site.interval, 0.1)) }

    mutating func begin(_ sources: RunSources) throws {
        try sources.requireTimes()
        self.sources = sources
        ticks = RangingTicks(interval: site.interval, settings: site.settings(for: sources.specs))
    }

    mutating func readClocks(wall: Timestamp, elapsed: Duration) {
        ticks.readClocks(wall: wall, elapsed: elapsed)
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        if let end, let time = sighting.time, time > end {
            if heard.isEmpty { firstAfter = time }
            return false
        }
        // This is only used to say which beacons are there, so it is limited to the number that ranging tracks.
        if heard.count < site.settings.maximumBeacons { heard.insert(sighting.beacon.id) }
        ticks.add(sighting) { _, _ in }
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool {
        ticks.isBlind = sources.hearing?.isBlind == true
        ticks.isInDoubt = sources.hearing?.isInDoubt == true
        ticks.advance(to: now) { _, _ in }
        return true
    }

    mutating func flush() {}

    mutating func finish(isOver: Bool) throws {
        if let end, let firstAfter {
            throw CommandFailure("--at \(end.rfc3339): the recording begins after it, at \(firstAfter.rfc3339)")
        }
        if let end {
            _ = reached(end)
        } else {
            ticks.finish { _, _ in }
        }
        let names = site.beacons.names(over: sources.names, of: heard)
        let id = try beacon.only(among: heard, names: names)
        guard let explanation = ticks.explanation(of: id) else {
            throw CommandFailure("\(beacon): is not tracked at that time")
        }
        let text = ExplanationText(explanation, names: names, sources: sources.receivers.names)
        try ResultFile.write(format == .json ? text.json : text.text(.current), to: nil)
    }
}
