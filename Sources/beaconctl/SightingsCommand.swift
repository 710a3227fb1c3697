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

    @Option(name: .long, help: "table, json (one object a line) or csv.")
    var format: OutputFormat = .table

    @Option(name: .long, help: ArgumentHelp("End after this many lines.", valueName: "n"))
    var limit: Int?

    @OptionGroup var duration: DurationOption

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is a number from 1, not \(limit).") }
    }

    func run() async throws {
        if sources.isUnset { try AskingDaemon.instead(socket) }
        let specs = try sources.specsOrAuto()
        let run = try SourceRun(sources, specs: specs, duration: duration.duration, isFinite: limit != nil)
        let result = try await run.run { [format, limit] in SightingsListing(format: format, limit: limit ?? .max) }
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
