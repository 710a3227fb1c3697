import ArgumentParser
import Console

@main
struct BeaconFleet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-fleet",
        abstract: "Finds the room of each beacon from what many scanners receive.",
        version: "beacon-fleet \(Program.version)",
        subcommands: [
            RunCommand.self, PlanCommand.self, TeachCommand.self, LocateCommand.self, ReportCommand.self,
            BridgeCommand.self,
        ])

    static func main() async {
        await Program.run(Self.self)
    }
}
