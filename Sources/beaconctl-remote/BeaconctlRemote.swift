import ArgumentParser
import Console

/// The program that `beaconctl` becomes for commands that ask the daemon or the network.
@main
struct BeaconctlRemote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beaconctl",
        abstract: "Asks the daemon, and manages the stored content.",
        version: "beaconctl \(Program.version)",
        subcommands: [
            StatusCommand.self, WatchCommand.self, RangeCommand.self, SightingsCommand.self, RegionsCommand.self,
            HealthCommand.self, ExplainCommand.self, NameCommand.self, ReportCommand.self, FleetCommand.self,
            ContentCommand.self, ConfigCommand.self,
        ])

    static func main() async {
        await Program.run(Self.self)
    }
}
