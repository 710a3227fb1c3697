import ArgumentParser
import Beacon
import Console
import Listening
import Platform
import Ranging
import Settings
import Text

struct RangeCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "range",
        abstract: "Ranks the beacons in range, live.",
        discussion: """
            The nearest comes first, each with its level, its distance in metres with the interval that contains it in \
            8 of 10 cases, and its proximity. On a terminal the table stays in place.

            Without --source, the daemon is asked. If none is running, or an option such as --active or --config is \
            for listening, it listens on the first adapter. With --once, it takes 5 seconds without any beacon to say \
            that none is in range; with --beacon, without any of these, and the exit status is 1. Of a \
            recording, these are seconds of its own time, and only --beacon waits.
            """)

    @OptionGroup var sources: SourceOptions

    @OptionGroup var socket: SocketOption

    @OptionGroup var site: SiteOptions

    @OptionGroup var listing: RankingOptions

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let isForDaemon = sources.isUnset && site.config == nil
        try isForDaemon ? AskingDaemon.instead(socket) : AskingDaemon.requireUnnamed(socket)
        let specs = try sources.specsOrAuto(reads: site.inputs, isDaemonAbsent: isForDaemon)
        let run = try SourceRun(sources, specs: specs, duration: duration.duration, isFinite: listing.once)
        let settings = try site.load()
        let (format, filter) = (result.format, wanted.filter)
        let limit = duration.duration
        let end = try await run.run { [listing] in
            RankingListing(
                RankingOutput(format, filter: filter, known: settings.beacons), site: settings,
                interval: listing.interval, once: listing.once, duration: limit)
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
        var hasShown = false

        var isBlind = false
        /// Since when a single ranking waits for a beacon: some send only once a second.
        var waitsSince: Timestamp?
        /// No ranking comes after the next one.
        var isLast = false
        /// Why a single ranking is a failure.
        var absence: (any Error)?

        mutating func show(_ ranking: Ranking) {
            guard !isDone else { return }
            if once, !isLast, !output.hasWanted(in: ranking), mayWait(at: ranking.time) { return }
            output.write(ranking, isBlind: isBlind)
            hasShown = true
            isDone = once
            guard once else { return }
            do {
                try output.requireWanted(in: ranking)
            } catch {
                absence = error
            }
        }

        /// Whether a single ranking without a beacon is left out, because a later one may have one.
        private mutating func mayWait(at time: Timestamp) -> Bool {
            let asks = !output.filter.isEmpty
            // A recording, too, may have a beacon that was asked for a little later.
            if asks, waitsSince == nil { waitsSince = time }
            guard let waitsSince, asks || !isBlind else { return false }
            // A clock that was set back does not make the wait longer.
            return abs(time.seconds(since: waitsSince)) < RankingOptions.longestWait
        }
    }

    private var sink: Sink
    private var receivers: Receivers?
    /// The number of receivers whose names are known.
    private var known = 0
    private var hearing: CombinedHearing?
    private let site: RangingConfiguration
    private var ticks: RangingTicks
    private let duration: Double?
    /// When listening began, by the steady clock.
    private var start = SteadyClock.elapsed
    private var isLimitReached = false
    private var hasHeard = false
    /// Where beacons are asked for, those that were heard.
    private var heard: Set<BeaconID> = []
    private var sources = RunSources()

    init(_ output: RankingOutput, site: RangingConfiguration, interval: Double, once: Bool, duration: Double?) {
        sink = Sink(output: output, once: once)
        self.duration = duration
        self.site = site
        ticks = RangingTicks(interval: interval)
    }

    var wakeAfter: Duration? { .seconds(min(ticks.interval, 0.1)) }

    mutating func begin(_ sources: RunSources) throws {
        try sources.requireTimes()
        sink.output.names = sources.names
        try sink.output.filter.requireNames(sources.names.values + site.beacons.givenNames)
        hearing = sources.hearing
        self.sources = sources
        start = SteadyClock.elapsed
        ticks = RangingTicks(interval: ticks.interval, settings: site.settings(for: sources.specs))
        receivers = sources.receivers
        learnReceivers()
        sink.output.begin()
    }

    mutating func readClocks(wall: Timestamp, elapsed: Duration) {
        ticks.readClocks(wall: wall, elapsed: elapsed)
        guard hearing?.isBlind == false else { return }
        ticks.begin(at: wall)
        if sink.waitsSince == nil { sink.waitsSince = wall }
    }

    /// A capture may name a new receiver in any row.
    private mutating func learnReceivers() {
        known = receivers?.count ?? 0
        sink.output.receivers = receivers?.severalNames
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        hasHeard = true
        if !sink.output.filter.isEmpty, heard.count < site.settings.maximumBeacons {
            heard.insert(sighting.beacon.id)
        }
        if sighting.source.place >= known { learnReceivers() }
        ticks.add(sighting) { ranking, _ in sink.show(ranking) }
        return !sink.isDone
    }

    mutating func reached(_ now: Timestamp) -> Bool {
        // Captures are told only of their time limit.
        if hearing == nil { isLimitReached = true }
        sink.isBlind = hearing?.isBlind == true
        ticks.isBlind = sink.isBlind
        ticks.isInDoubt = hearing?.isInDoubt == true
        ticks.advance(to: now) { ranking, _ in sink.show(ranking) }
        return !sink.isDone
    }

    mutating func flush() {
        sink.output.flush()
    }

    mutating func finish(isOver: Bool) throws {
        if hearing != nil, let duration { isLimitReached = SteadyClock.elapsed - start >= .seconds(duration) }
        // An interrupted run has no last ranking, because its time has not come. One that --duration ended has one
        // at least.
        if isOver || (isLimitReached && !sink.hasShown) {
            sink.isLast = true
            ticks.finish { ranking, _ in sink.show(ranking) }
        }
        sink.output.flush()
        if hearing == nil, isOver || isLimitReached, !sink.hasShown {
            guard !hasHeard else { throw sources.lackOfTimes }
            let names = sources.specs.joined(separator: ", ")
            Program.write("\(names): no iBeacon was heard, so there is nothing to rank\n")
        }
        if let absence = sink.absence { throw absence }
        // A single ranking needs only one of the beacons.
        if isOver, !sink.isDone { try requireHeard() }
    }

    /// - Throws: where a recording has ended without a beacon that was asked for.
    private func requireHeard() throws {
        let names = site.beacons.names(over: sink.output.names, of: heard)
        do throws(BeaconQuery.Failure) {
            try sink.output.filter.require(among: heard, names: names)
        } catch {
            if sink.output.isAbsenceTold { throw CommandFailure.reported }
            throw error
        }
    }
}
