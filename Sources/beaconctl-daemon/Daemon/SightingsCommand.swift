import ArgumentParser
import Console
import ControlClient

struct SightingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sightings",
        abstract: "A line for every iBeacon that the daemon hears.",
        discussion: "With --source, another source is listened to instead.")

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
        let client = try ControlClient.found(socket.socket, for: "that could be asked")
        let format = format
        // A heading is no sighting.
        let heading = format == .json ? 0 : 1
        let lines = limit.map { $0 + heading } ?? .max
        try await UntilStopped.run(for: duration.duration, isFinite: limit != nil) {
            var remaining = lines
            try await client.lines("/v1/sightings?format=\(format.rawValue)") { line in
                try ResultFile.write(line + "\n", to: nil)
                remaining -= 1
                return remaining > 0
            }
        }
    }
}
