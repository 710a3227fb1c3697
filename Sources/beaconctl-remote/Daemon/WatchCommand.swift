import ArgumentParser
import Beacon
import Console
import ControlClient
import Events
import Text

struct WatchCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows the daemon's events as they happen, one line each.",
        discussion: """
            The first line shows the current state, unless --after is given. Continues when the daemon is restarted. \
            --format json prints the events as docs/api.md has them, after an event "state" with what beaconctl \
            status shows.
            """)

    @OptionGroup var options: DaemonOptions

    var result: ResultOptions<TextFormat> { options.result }

    @Option(name: .long, help: ArgumentHelp("Begin after this event, with what is still kept.", valueName: "id"))
    var after: UInt64?

    @Option(name: .long, help: ArgumentHelp("Only events of these kinds; may be repeated.", valueName: "kind"))
    var event: [WatchedKind] = []

    @Option(name: .long, help: ArgumentHelp("End after this many lines.", valueName: "n"))
    var limit: Int?

    @OptionGroup var duration: DurationOption

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is a number from 1, not \(limit).") }
    }

    func run() async throws {
        let client = try options.client(for: "that could be watched")
        let (kinds, isJSON, limit, after) = (Set(event.map(\.name)), options.isJSON, limit ?? .max, after)
        let terminal = Terminal.current
        try await UntilStopped.run(for: duration.duration, isFinite: self.limit != nil || duration.duration != nil) {
            var feed = EventFeed(client: client, after: after.map(String.init))
            var remaining = limit
            let bytes = try await client.get("/v1/status")
            let status: DaemonStatus = try ControlClient.decoded(bytes, of: "/v1/status")
            if let after {
                guard after <= status.lastEvent else {
                    throw CommandFailure("--after \(after): is not there yet; the newest event is \(status.lastEvent)")
                }
            } else {
                // From here on no event is missed or shown twice.
                feed.after = "\(status.lastEvent)"
                if kinds.isEmpty || kinds.contains(WatchedKind.state) {
                    try ResultFile.write((isJSON ? Self.event(bytes) : status.line(terminal)) + "\n", to: nil)
                    remaining -= 1
                }
            }
            guard remaining > 0 else { return }
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

/// The values of `--event`.
struct WatchedKind: ExpressibleByArgument {
    let name: String

    /// The state at the start.
    static let state = "state"
    /// Some events are no longer kept.
    private static let missed = "missed"

    static var allValueStrings: [String] { EventKind.allCases.map(\.rawValue) + [state, missed] }

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        name = argument
    }
}

extension WatchCommand {
    /// The status's JSON object as an event.
    fileprivate static func event(_ status: [UInt8]) -> String {
        let object = String(decoding: status, as: UTF8.self).drop { $0 != "{" }.dropFirst()
        return "{\"event\":\"\(WatchedKind.state)\"," + object.prefix { $0 != "\n" }
    }
}

extension DaemonStatus {
    /// The status in one line, like an event.
    fileprivate func line(_ terminal: Terminal) -> String {
        let parts = [
            nearest.map { "\($0.name.map(printable) ?? $0.text) is nearest" } ?? "no beacon is near",
            beacons == 1 ? "1 beacon in range" : "\(beacons) beacons in range", "scanner \(scanner)",
        ]
        return "\(terminal.styled(Self.time(time), .dim))  now      \(parts.joined(separator: ", "))"
    }
}

/// An event as a line for people.
private struct EventLine: Decodable {
    var time: String?
    var text: String?
    var level: String?

    init(_ event: EventStreamReader.Event) throws {
        self = try ControlClient.decoded(Array(event.data.utf8), of: "/v1/events")
    }

    /// Nil for events that are not shown.
    func text(_ terminal: Terminal) -> String? {
        guard let text else { return nil }
        // A narrow terminal has no room for the date.
        let isNarrow = terminal.limit.map { $0 < 70 } ?? false
        let clock = time.map { DaemonStatus.time($0) }.map { isNarrow ? String($0.dropFirst(11)) : $0 }
        var rows = TextRows(width: clock.map { $0.count + 2 } ?? 0)
        rows.add(clock ?? "", text, style: level == "warning" ? .yellow : nil)
        return rows.lines(terminal).joined(separator: "\n")
    }
}
