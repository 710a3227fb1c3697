import ArgumentParser
import Beacon
import Console
import Health
import Listening
import Text

struct HealthCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Lists what is wrong with which beacon, since when, and on what evidence.",
        discussion: """
            Without --source, the daemon is asked. A recording is examined from its beginning, and a line is \
            written for each problem that begins or ends.
            """)

    @OptionGroup var sources: SourceOptions

    @OptionGroup var socket: SocketOption

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Minutes of a recording until something counts as usual (default: \(Self.usualLearning)).",
            valueName: "minutes"))
    var learning: Int?

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var result: ResultOptions<OutputFormat>

    func validate() throws {
        guard (1...43_200).contains(learning ?? Self.usualLearning) else {
            throw ValidationError("--learning is 1 to 43200 minutes.")
        }
    }

    private static let usualLearning = 60

    func run() async throws {
        let specs = try sources.specs()
        guard !specs.isEmpty else {
            guard sources.isUnset, duration.duration == nil, learning == nil else {
                throw CommandFailure.usage(
                    "what says how to listen (--learning, --duration and the like) is for a --source; without one the "
                        + "daemon is asked what it has learned")
            }
            try AskingDaemon.instead(socket)
            throw CommandFailure.noDaemon("that could be asked", takesSource: true)
        }
        try AskingDaemon.requireUnnamed(socket)
        let run = try SourceRun(
            sources, specs: specs, duration: duration.duration, isFinite: false, tellsProgress: true)
        let (format, learning) = (result.format, learning ?? Self.usualLearning)
        let outcome = try await run.run { [wanted] in
            HealthListing(format, filter: wanted.filter, learning: learning)
        }
        if let problem = outcome.problem { throw problem }
    }
}

/// Cuts a recording into minutes, and writes what begins and ends.
private struct HealthListing: SightingConsumer {
    private let format: OutputFormat
    private let filter: BeaconFilter
    private var watch: HealthWatch
    private var sources = RunSources()
    private var ids: Set<SourceID> = []
    private var hasHeard = false
    private var first: Int64?
    private var minute: Int64?
    private let learning: Int
    /// Changes that were written.
    private var written = 0
    /// Beacons that were received, if some of them are wanted.
    private var heard: Set<BeaconID> = []

    /// The maximum number of these: with more it is unknown whether another one was received.
    private static let mostHeard = 10_000

    /// Minutes without any sighting that are still worked through one by one: a day.
    private static let longestGap: Int64 = 1440

    init(_ format: OutputFormat, filter: BeaconFilter, learning: Int) {
        self.format = format
        self.filter = filter
        self.learning = learning
        watch = HealthWatch(learning: Double(learning))
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) throws {
        try sources.requireTimes()
        try filter.requireNames(sources.names.values)
        self.sources = sources
        if format == .csv { Program.writeResult("time,uuid,major,minor,state,problem,since,evidence") }
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        hasHeard = true
        guard let time = sighting.time else { return true }
        advance(to: time)
        ids.insert(sighting.source)
        if !filter.isEmpty, heard.count < Self.mostHeard { heard.insert(sighting.beacon.id) }
        watch.add(sighting)
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool {
        advance(to: now)
        return true
    }

    mutating func flush() {}

    /// Says why nothing was written.
    ///
    /// - Throws: `BeaconQuery.Failure` if a beacon that is wanted was not received, `CommandFailure` if nothing that
    ///   was received has a time.
    mutating func finish(isOver: Bool) throws {
        if first == nil, hasHeard {
            // A recording that was interrupted may have times further on.
            guard isOver else { return }
            throw sources.lackOfTimes
        }
        if first != nil, heard.count < Self.mostHeard { try filter.require(among: heard, names: sources.names) }
        guard written == 0 else { return }
        let minutes = Int((minute ?? 0) - (first ?? 0))
        if first == nil {
            Program.write("no iBeacon was heard\n")
        } else if minutes < learning {
            Program.write(
                "\(counted(minutes, "minute")) \(minutes == 1 ? "was" : "were") recorded, and \(learning) are needed "
                    + "until something counts as usual: --learning\n")
        } else {
            Program.write("nothing is wrong\n")
        }
    }

    private mutating func advance(to time: Timestamp) {
        let current = Int64((time.seconds / 60).rounded(.down))
        // A reading that comes late counts for the minute in which it came.
        guard current > minute ?? .min else { return }
        let names = sources.receivers.names
        let scanners = ids.sorted().map {
            (id: $0, name: names.indices.contains($0.place) ? names[$0.place] : "\($0)", isBlind: false)
        }
        var next = max((minute ?? current - 1) + 1, current - Self.longestGap)
        while next <= current {
            for change in watch.advance(to: Timestamp(seconds: Double(next) * 60), sources: scanners)
            where filter.contains(change.beacon, name: sources.names[change.beacon]) {
                write(change, second: next * 60)
                written += 1
            }
            next += 1
        }
        first = first ?? current
        minute = current
    }

    private func write(_ change: HealthChange, second: Int64) {
        let (id, problem) = (change.beacon, change.problem)
        let name = sources.names[id]
        let (time, state) = (HealthText.time(second), change.isOver ? "over" : "began")
        switch format {
        case .json:
            var json = JSONText()
            json.object { json in
                json.value("time", time)
                json.identity(id, name: name)
                json.value("state", state)
                json.listed(problem)
            }
            Program.writeResult(json.text)
        case .csv:
            let row = [
                time, "\(id.uuid)", "\(id.major)", "\(id.minor)", state, problem.kind.rawValue,
                HealthText.time(problem.since), csvField(problem.evidence),
            ]
            Program.writeResult(row.joined(separator: ","))
        case .table:
            let words = change.isOver ? "no longer \(problem.kind.word)" : "\(problem.kind.word): \(problem.evidence)"
            Program.writeResult(printable("\(time)  \(name ?? "\(id.major).\(id.minor)")  \(words)"))
        }
    }
}
