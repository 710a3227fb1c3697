import ArgumentParser
import Console

@main
struct Beaconctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beaconctl",
        abstract: "Listens to iBeacons, ranks them, and reports.",
        version: "beaconctl \(Program.version)",
        subcommands: [
            DecodeCommand.self, SightingsCommand.self, CaptureCommand.self, RangeCommand.self, ReportCommand.self,
            StatusCommand.self, WatchCommand.self, RegionsCommand.self, HealthCommand.self, ExplainCommand.self,
            FleetCommand.self, CalibrateCommand.self, NameCommand.self, DoctorCommand.self, ContentCommand.self,
            ConfigCommand.self,
        ])

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        // Only the other program has the help of its commands.
        if words.first == "help", words.count > 1,
            configuration.subcommands.contains(where: { $0 is any DaemonCommand.Type && $0._commandName == words[1] }) {
            Program.end(AskingDaemon.become("help", Array(words.dropFirst())), as: _commandName)
        }
        await Program.run(Self.self)
    }
}
