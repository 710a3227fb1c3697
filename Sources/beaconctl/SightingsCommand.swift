import ArgumentParser
import Beacon
import Console
import Listening
import Synchronization
import Text

struct SightingsCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "sightings",
        abstract: "Prints a line for every received iBeacon.",
        discussion: """
            Counts go to standard error at the end: of packets, reports, iBeacons and what was malformed or dropped; \
            of the daemon's, only of iBeacons. The CSV can be read back with --source file:….

            Without --source, the daemon is asked. If none is running, or an option such as --active is for listening, \
            it listens on the first adapter.
            """)

    @OptionGroup var sources: SourceOptions

    @OptionGroup var socket: SocketOption

    @OptionGroup var listing: SightingOptions

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let isForDaemon = sources.isUnset
        try isForDaemon ? AskingDaemon.instead(socket) : AskingDaemon.requireUnnamed(socket)
        let specs = try sources.specsOrAuto(isDaemonAbsent: isForDaemon)
        let run = try SourceRun(
            sources, specs: specs, duration: duration.duration, isFinite: listing.limit != nil, tellsCounts: true)
        let format = result.format
        let absence = Absence()
        let end = try await run.run { [listing, wanted] in
            SightingsListing(format: format, limit: listing.limit ?? .max, filter: wanted.filter, absence: absence)
        }
        if let problem = end.problem { throw problem }
        if let failure = absence.failure { throw failure }
    }
}

/// That a recording has ended without a beacon that was asked for. It comes after the counts.
private final class Absence: Sendable {
    private let noted = Mutex<BeaconQuery.Failure?>(nil)

    var failure: BeaconQuery.Failure? { noted.withLock { $0 } }

    func note(_ failure: BeaconQuery.Failure) {
        noted.withLock { $0 = failure }
    }
}

private struct SightingsListing: SightingConsumer, ~Copyable {
    let format: OutputFormat
    var remaining: Int
    private let filter: BeaconFilter
    private var names: [BeaconID: String] = [:]
    /// The beacons received, to report that a requested one was not among them.
    private var heard: Set<BeaconID> = []
    private var writer: SightingWriter?
    private let absence: Absence

    /// Beacons that a message may list. Those that were asked for are counted in any case.
    private static let mostHeard = 1000

    init(format: OutputFormat, limit: Int, filter: BeaconFilter, absence: Absence) {
        self.absence = absence
        self.format = format
        self.filter = filter
        remaining = limit
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) throws {
        try filter.requireNames(sources.names.values)
        names = sources.names
        writer = SightingWriter(format, receivers: sources.receivers, hasScanners: sources.haveScanners)
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        if !filter.isEmpty {
            let id = sighting.beacon.id
            guard isWanted(id) else { return true }
        }
        writer?.write(sighting)
        remaining &-= 1
        return remaining > 0
    }

    private mutating func isWanted(_ id: BeaconID) -> Bool {
        let isWanted = filter.contains(id, name: names[id])
        if isWanted || heard.count < Self.mostHeard { heard.insert(id) }
        return isWanted
    }

    mutating func reached(_ now: Timestamp) -> Bool { true }

    mutating func flush() {
        writer?.flush()
    }

    mutating func finish(isOver: Bool) {
        writer?.flush()
        guard isOver || !heard.isEmpty else { return }
        do throws(BeaconQuery.Failure) {
            try filter.require(among: heard, names: names)
        } catch {
            if isOver { absence.note(error) } else { Program.write("\(error)\n") }
        }
    }
}
