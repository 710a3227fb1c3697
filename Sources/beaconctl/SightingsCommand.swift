import ArgumentParser
import Beacon
import Console
import Listening

struct SightingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sightings",
        abstract: "A line for every iBeacon heard.",
        discussion: """
            Counts go to standard error at the end. The CSV can be read back with --source file:….

            Without --source, the daemon is asked; where none runs, the first adapter is listened to.
            """)

    @OptionGroup var sources: SourceOptions

    @OptionGroup var socket: SocketOption

    @OptionGroup var listing: SightingOptions

    @OptionGroup var duration: DurationOption

    func run() async throws {
        if sources.isUnset { try AskingDaemon.instead(socket) }
        let specs = try sources.specsOrAuto()
        let run = try SourceRun(sources, specs: specs, duration: duration.duration, isFinite: listing.limit != nil)
        let result = try await run.run { [listing] in
            SightingsListing(format: listing.format, limit: listing.limit ?? .max)
        }
        result.writeCounts()
        if let problem = result.problem { throw problem }
    }
}

private struct SightingsListing: SightingConsumer, ~Copyable {
    let format: OutputFormat
    var remaining: Int
    private var writer: SightingWriter?

    init(format: OutputFormat, limit: Int) {
        self.format = format
        remaining = limit
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) {
        writer = SightingWriter(format, sources: sources.specs)
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        writer?.write(sighting)
        remaining &-= 1
        return remaining > 0
    }

    mutating func reached(_ now: Timestamp) -> Bool { true }

    mutating func flush() {
        writer?.flush()
    }

    mutating func finish(isOver: Bool) {
        writer?.flush()
    }
}
