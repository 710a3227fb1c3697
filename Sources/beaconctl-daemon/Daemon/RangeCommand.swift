import ArgumentParser
import Beacon
import Console
import ControlClient
import Ranging

struct RangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "range",
        abstract: "Shows the daemon's ranking, live.",
        discussion: "With --source, another source is ranked instead.")

    @OptionGroup var socket: SocketOption

    @Option(name: .long, help: ArgumentHelp("Time between two rankings, at least.", valueName: "seconds"))
    var interval: Double = 1

    @OptionGroup var duration: DurationOption

    @Flag(name: .long, help: "End after the first ranking.")
    var once = false

    @Option(name: .long, help: "table, json (one object a ranking) or csv.")
    var format: OutputFormat = .table

    func validate() throws {
        guard interval >= 0.05, interval <= 86_400 else {
            throw ValidationError("--interval is a number of seconds from 0.05 to 86400, not \(interval).")
        }
    }

    func run() async throws {
        let client = try ControlClient.found(socket.socket, for: "that could be asked")
        let (interval, once, format) = (interval, once, format)
        try await UntilStopped.run(for: duration.duration, isFinite: once) {
            var output = RankingOutput(format)
            output.begin()
            var due: Timestamp?
            var feed = EventFeed(client: client, wantsStates: true)
            try await feed.follow { event in
                guard event.kind == "ranging" else { return true }
                let document: RankingDocument = try ControlClient.decoded(Array(event.data.utf8), of: "/v1/events")
                let time = document.ranking.time
                // A clock that is set back owes no pause.
                if let due, time < due, due.seconds(since: time) <= interval { return true }
                due = time.advanced(bySeconds: interval * 0.999)
                output.names = document.names
                output.write(document.ranking, isBlind: document.isBlind)
                output.flush()
                return !once
            }
        }
    }
}
