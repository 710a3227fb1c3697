import ArgumentParser
import Console
import DaemonSettings

struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Says everything that is wrong with a configuration, with its lines.")

    @Argument(help: "The configuration (default: \(DaemonConfiguration.defaultFile)).")
    var file: String?

    func run() async throws {
        let check = try await ConfigurationCheck(file: file, environment: Environment.variables)
        for warning in check.warnings { Program.write("warning: \(warning)\n") }
        print(check.summary)
    }
}
