import ArgumentParser
import Console

@main
struct BeaconContentServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-content-server",
        abstract: "Serves the pages on which curators manage what beacons show, and the content to devices.",
        version: "beacon-content-server \(Program.version)",
        subcommands: [
            ServeCommand.self, UserCommand.self, PublishCommand.self, RollbackCommand.self, KeygenCommand.self,
            ExportCommand.self, ImportCommand.self, BackupCommand.self, CheckCommand.self,
        ])

    static func main() async {
        await Program.run(Self.self)
    }
}
