import ArgumentParser
import Console
import ControlClient
import Text

struct ExplainCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Asks the daemon to explain a beacon's rank, and why it is (not) the nearest.",
        discussion: "With --source, another source is listened to instead.")

    @Argument(
        help: ArgumentHelp(
            "UUID/MAJOR/MINOR, as much of it as is enough (MAJOR.MINOR), or a name.", valueName: "beacon"))
    var beacon: BeaconQuery

    @OptionGroup var options: DaemonOptions

    var result: ResultOptions<TextFormat> { options.result }

    func run() async throws {
        var path = "/v1/explain?beacon=\(ControlClient.escaped(beacon.description))"
        if !options.isJSON {
            let terminal = Terminal.current
            path += "&text=1" + (terminal.hasBlocks ? "&blocks=1" : "")
                + (terminal.limit.map { "&columns=\(max(20, min(1000, $0)))" } ?? "")
        }
        let answer = try await options.client(for: "that could be asked").get(path)
        try ResultFile.write(String(decoding: answer, as: UTF8.self), to: nil)
    }
}
