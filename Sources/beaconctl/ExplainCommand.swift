import ArgumentParser
import Beacon
import Console
import Listening
import Ranging
import SiteSettings

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says why a beacon is seen as it is: readings, level, distance, and why it is (not) the nearest.",
        discussion: """
            Without --source, the daemon is asked. A live source is listened to for --duration (10 seconds where none is given); a capture is read to its end, \
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

    @Option(name: .long, help: "text or json.")
    var format: PresentationFormat = .text

    func run() async throws {
        let specs = try sources.specs()
        guard !specs.isEmpty else {
            guard duration.duration == nil, at == nil else {
                throw ProgramExit.usage("--at and --duration are for a --source: the daemon is asked what is true now")
            }
            try AskingDaemon.instead(socket)
            throw ProgramExit.noDaemon("that could be asked")
        }
        let end = try at.map { text in
            guard specs.allSatisfy(\.isFile) else {
                throw ProgramExit.usage("--at is an instant of a capture: a live source is at the present one")
            }
            guard let time = Timestamp(rfc3339: text) else {
                throw ProgramExit.usage("--at: '\(text)' is no RFC 3339 time, as in 2026-01-31T12:00:00Z")
            }
            return time
        }
        let limit = duration.duration ?? (specs.allSatisfy(\.isFile) ? nil : 10)
        let settings = try site.load()
        let run = try SourceRun(sources, specs: specs, duration: limit, isFinite: true)
        let result = try await run.run { [beacon, format] in
            ExplanationConsumer(beacon: beacon, site: settings, end: end, format: format)
        }
        if let problem = result.problem { throw problem }
    }
}

/// How a single result is written.
enum PresentationFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
}

private struct ExplanationConsumer: SightingConsumer {
    let beacon: BeaconQuery
    let site: SiteRanging
    let end: Timestamp?
    let format: PresentationFormat
    private var ticks: RangingTicks
    private var heard: Set<BeaconID> = []
    private var sources = RunSources()
    private var lastTick: Timestamp?

    init(beacon: BeaconQuery, site: SiteRanging, end: Timestamp?, format: PresentationFormat) {
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

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        if let end, let time = sighting.time, time > end { return false }
        // Who is there is all that is asked of it: no more than can be tracked.
        if heard.count < site.settings.maximumBeacons { heard.insert(sighting.beacon.id) }
        var last = lastTick
        ticks.add(sighting) { ranking, _ in last = ranking.time }
        lastTick = last
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool {
        ticks.isBlind = sources.hearing?.isBlind == true
        var last = lastTick
        ticks.advance(to: now) { ranking, _ in last = ranking.time }
        lastTick = last
        return true
    }

    mutating func flush() {}

    mutating func finish(isOver: Bool) throws {
        if let end {
            _ = reached(end)
        } else {
            var last = lastTick
            ticks.finish { ranking, _ in last = ranking.time }
            lastTick = last
        }
        let id = try beacon.only(among: heard, names: sources.names)
        guard let time = lastTick, let explanation = ticks.ranger.explanation(of: id, at: time) else {
            throw ProgramExit(1, "\(beacon): is not tracked any more at that time, or not yet")
        }
        let text = ExplanationText(explanation, names: sources.names, sources: sources.specs)
        try ResultFile.write(format == .json ? text.json : text.text(.current), to: nil)
    }
}
