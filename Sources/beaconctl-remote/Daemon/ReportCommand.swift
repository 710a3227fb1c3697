import ArgumentParser
import Console
import ControlClient
import Reports
import Text

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Reports what the daemon has received: presence, dwell, levels and distances of every beacon.",
        discussion: "With --source, the report is made from another source.")

    @OptionGroup var socket: SocketOption

    @OptionGroup var options: ReportOptions

    @OptionGroup var wanted: BeaconFilterOptions

    func run() async throws {
        let client = try ControlClient.found(socket.socket, for: "whose history could be reported")
        var queries = ["format=\(options.format.rawValue)"]
        if let since = options.since { queries.append("since=\(ControlClient.escaped(since))") }
        if let until = options.until { queries.append("until=\(ControlClient.escaped(until))") }
        let terminal = options.output == nil ? Terminal.current : Terminal(isTerminal: false)
        queries.append("columns=\(max(20, min(1000, terminal.columns)))")
        if terminal.hasColour { queries.append("colour") }
        if !terminal.hasBlocks { queries.append("ascii") }
        let wait = LongWait.start { seconds, octets in
            octets == 0
                ? "the daemon works the report out, \(seconds) s" : "\(ByteCount.text(Int64(octets))) received"
        }
        defer { wait.end() }
        let path = "/v1/history?" + queries.joined(separator: "&") + wanted.filter.query
        let answer = try await client.get(path, within: ControlClient.workLimit) { wait.advance(by: $0) }
        wait.end()
        try ResultFile.write(String(decoding: answer, as: UTF8.self), to: options.output)
    }
}
