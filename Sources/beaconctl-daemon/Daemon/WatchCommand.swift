import ArgumentParser
import Beacon
import Console
import ControlClient

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows what the daemon notices as it happens, a line an event.",
        discussion: "Goes on when the daemon is restarted. --format json prints the events as docs/api.md has them.")

    @OptionGroup var options: DaemonOptions

    @Option(name: .long, help: ArgumentHelp("Begin behind this event, with what is still kept.", valueName: "id"))
    var after: UInt64?

    @Option(name: .long, help: ArgumentHelp("Only events of these kinds; may be repeated.", valueName: "kind"))
    var event: [String] = []

    @Option(name: .long, help: ArgumentHelp("End after this many lines.", valueName: "n"))
    var limit: Int?

    @OptionGroup var duration: DurationOption

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is a number from 1, not \(limit).") }
    }

    func run() async throws {
        let client = try options.client(for: "that could be watched")
        let (kinds, isJSON, limit, after) = (Set(event), options.isJSON, limit ?? .max, after.map(String.init))
        let terminal = Terminal.current
        try await UntilStopped.run(for: duration.duration, isFinite: self.limit != nil) {
            var feed = EventFeed(client: client, after: after)
            var remaining = limit
            try await feed.follow { event in
                guard kinds.isEmpty || kinds.contains(event.kind),
                    let line = isJSON ? event.data : try EventLine(event).text(terminal)
                else { return true }
                try ResultFile.write(line + "\n", to: nil)
                remaining -= 1
                return remaining > 0
            }
        }
    }
}

/// An event as people see it.
private struct EventLine: Decodable {
    var time: String?
    var text: String?
    var level: String?

    init(_ event: EventStreamReader.Event) throws {
        self = try ControlClient.decoded(Array(event.data.utf8), of: "/v1/events")
    }

    /// Nil for what is not worth a line.
    func text(_ terminal: Terminal) -> String? {
        guard let text else { return nil }
        let shown = printable(text)
        let line = level == "warning" ? terminal.styled(shown, .yellow) : shown
        return time.map { "\(terminal.styled(DaemonStatus.time($0), .dim))  \(line)" } ?? line
    }
}
