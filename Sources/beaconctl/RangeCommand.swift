import ArgumentParser
import Beacon
import Console
import Listening
import Ranging
import Settings
import Text

struct RangeCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "range",
        abstract: "Ranks the beacons in range, live.",
        discussion: """
            The nearest comes first, each with its level, its distance in metres with the interval that holds it in \
            8 of 10 cases, and its proximity. On a terminal the table stays in place.

            Without --source, the daemon is asked; where none runs, the first adapter is listened to.
            """)

    @OptionGroup var sources: SourceOptions

    @OptionGroup var socket: SocketOption

    @OptionGroup var site: SiteOptions

    @OptionGroup var listing: RankingOptions

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        if sources.isUnset, site.config == nil { try AskingDaemon.instead(socket) }
        let specs = try sources.specsOrAuto(reads: site.inputs)
        let run = try SourceRun(sources, specs: specs, duration: duration.duration, isFinite: listing.once)
        let settings = try site.load()
        let (format, filter) = (result.format, wanted.filter)
        let end = try await run.run { [listing] in
            RankingListing(
                RankingOutput(format, filter: filter, known: settings.beacons), site: settings,
                interval: listing.interval, once: listing.once)
        }
        if let problem = end.problem { throw problem }
    }
}

private struct RankingListing: SightingConsumer {
    /// Writes rankings until it has written enough.
    private struct Sink {
        var output: RankingOutput
        let once: Bool
        var isDone = false

        var isBlind = false

        mutating func show(_ ranking: Ranking) {
            guard !isDone else { return }
            output.write(ranking, isBlind: isBlind)
            isDone = once
        }
    }

    private var sink: Sink
    private var receivers: Receivers?
    /// The number of receivers whose names are known.
    private var known = 0
    private var hearing: CombinedHearing?
    private let site: RangingConfiguration
    private var ticks: RangingTicks

    init(_ output: RankingOutput, site: RangingConfiguration, interval: Double, once: Bool) {
        sink = Sink(output: output, once: once)
        self.site = site
        ticks = RangingTicks(interval: interval)
    }

    var wakeAfter: Duration? { .seconds(min(ticks.interval, 0.1)) }

    mutating func begin(_ sources: RunSources) throws {
        try sources.requireTimes()
        sink.output.names = sources.names
        try sink.output.filter.requireNames(sources.names.values + site.beacons.givenNames)
        hearing = sources.hearing
        ticks = RangingTicks(interval: ticks.interval, settings: site.settings(for: sources.specs))
        receivers = sources.receivers
        learnReceivers()
        sink.output.begin()
    }

    mutating func readClocks(wall: Timestamp, elapsed: Duration) {
        ticks.readClocks(wall: wall, elapsed: elapsed)
    }

    /// A capture may name a new receiver in any row.
    private mutating func learnReceivers() {
        known = receivers?.count ?? 0
        sink.output.receivers = receivers?.severalNames
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        if sighting.source.place >= known { learnReceivers() }
        ticks.add(sighting) { ranking, _ in sink.show(ranking) }
        return !sink.isDone
    }

    mutating func reached(_ now: Timestamp) -> Bool {
        sink.isBlind = hearing?.isBlind == true
        ticks.isBlind = sink.isBlind
        ticks.isInDoubt = hearing?.isInDoubt == true
        ticks.advance(to: now) { ranking, _ in sink.show(ranking) }
        return !sink.isDone
    }

    mutating func flush() {
        sink.output.flush()
    }

    mutating func finish(isOver: Bool) {
        // An interrupted run has no last ranking, because its time has not come.
        if isOver { ticks.finish { ranking, _ in sink.show(ranking) } }
        sink.output.flush()
    }
}
