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
            StatusCommand.self, WatchCommand.self, RegionsCommand.self, ExplainCommand.self, CalibrateCommand.self,
            DoctorCommand.self, ContentCommand.self, ConfigCommand.self,
        ])

    static func main() async {
        await Program.run(Self.self)
    }
}
