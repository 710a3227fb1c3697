import ArgumentParser
import Beacon
import Console
import ControlClient
import Ranging
import Text

struct RangeCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "range",
        abstract: "Shows the daemon's ranking, live.",
        discussion: "With --source, another source is ranked instead.")

    @OptionGroup var socket: SocketOption

    @OptionGroup var listing: RankingOptions

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let client = try ControlClient.found(socket.socket, for: "that could be asked")
        let (interval, once, format) = (listing.interval, listing.once, result.format)
        let filter = wanted.filter
        // An unknown name is refused; the error lists the known ones.
        if !filter.isEmpty { _ = try await client.get("/v1/ranging?" + filter.query.dropFirst()) }
        try await UntilStopped.run(for: duration.duration, isFinite: once || duration.duration != nil) {
            var output = RankingOutput(format, filter: filter)
            output.begin()
            var due: Timestamp?
            var feed = EventFeed(client: client, wantsStates: true)
            try await feed.follow { event in
                guard event.kind == "ranging" else { return true }
                let document: RankingDocument = try ControlClient.decoded(Array(event.data.utf8), of: "/v1/events")
                let time = document.ranking.time
                // If the clock was set back, do not wait.
                if let due, time < due, due.seconds(since: time) <= interval { return true }
                due = time.advanced(bySeconds: interval * 0.999)
                output.names = document.names
                output.receivers = document.receivers
                output.write(document.ranking, isBlind: document.isBlind)
                output.flush()
                return !once
            }
        }
    }
}
