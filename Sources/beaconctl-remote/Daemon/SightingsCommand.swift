import ArgumentParser
import Console
import ControlClient
import Synchronization
import Text

struct SightingsCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "sightings",
        abstract: "Prints a line for every iBeacon that the daemon receives.",
        discussion: "Continues when the daemon is restarted. With --source, another source is listened to instead.")

    @OptionGroup var socket: SocketOption

    @OptionGroup var listing: SightingOptions

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let client = try ControlClient.found(socket.socket, for: "that could be asked")
        let (format, limit) = (result.format, listing.limit ?? .max)
        let columns = Terminal.current.limit.map { "&columns=\(max(20, min(1000, $0)))" } ?? ""
        let path = "/v1/sightings?format=\(format.rawValue)" + wanted.filter.query + columns
        let written = Atomic(0)
        defer { Program.tell("iBeacons \(written.load(ordering: .relaxed))") }
        let isFinite = listing.limit != nil || duration.duration != nil
        try await UntilStopped.run(for: duration.duration, isFinite: isFinite) {
            var heading: String?
            try await LastingStream().follow { received in
                var isHeading = format != .json
                var goesOn = true
                try await client.lines(path) { line in
                    received()
                    if isHeading {
                        isHeading = false
                        // After a restart of the daemon it is there already.
                        if line != heading { try ResultFile.write(line + "\n", to: nil) }
                        heading = line
                    } else {
                        try ResultFile.write(line + "\n", to: nil)
                        goesOn = written.add(1, ordering: .relaxed).newValue < limit
                    }
                    return goesOn
                }
                return goesOn
            }
        }
    }
}
