import ArgumentParser
import Console
import ControlClient
import Synchronization
import Text

struct SightingsCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "sightings",
        abstract: "Prints a line for every iBeacon that the daemon receives.",
        discussion: "With --source, another source is listened to instead.")

    @OptionGroup var socket: SocketOption

    @OptionGroup var listing: SightingOptions

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let client = try ControlClient.found(socket.socket, for: "that could be asked")
        let (format, limit) = (result.format, listing.limit)
        let columns = Terminal.current.limit.map { "&columns=\(max(20, min(1000, $0)))" } ?? ""
        let path = "/v1/sightings?format=\(format.rawValue)" + wanted.filter.query + columns
        // The heading is not a sighting.
        let heading = format == .json ? 0 : 1
        let lines = limit.map { $0 + heading } ?? .max
        let written = Atomic(0)
        defer { Program.tell("iBeacons \(max(0, written.load(ordering: .relaxed) - heading))") }
        try await UntilStopped.run(for: duration.duration, isFinite: limit != nil || duration.duration != nil) {
            try await client.lines(path) { line in
                try ResultFile.write(line + "\n", to: nil)
                return written.add(1, ordering: .relaxed).newValue < lines
            }
        }
    }
}
