import ArgumentParser
import Console
import DaemonSettings
import Settings
import Text

struct ConfigCheckCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Says everything that is wrong with a configuration, with its lines.",
        discussion: "Exit status 1 if anything is wrong. BEACOND_… variables count, as they do for the daemon.")

    @Argument(help: "The configuration (default: \(DaemonConfiguration.defaultFile)).")
    var file: String?

    @OptionGroup var result: ResultOptions<TextFormat>

    func validate() throws {
        guard file != "" else { throw ValidationError("the file's name is empty: name one, or leave it out.") }
    }

    func run() async throws {
        try FilesApart.require([.configuration(file ?? DaemonConfiguration.defaultFile)])
        do {
            let check = try await ConfigurationCheck(file: file, environment: Environment.variables)
            guard result.format == .text else { return Program.output(json(warnings: check.warnings, mistakes: [])) }
            for warning in check.warnings { Program.write("warning: \(warning)\n") }
            Program.output(check.summary + "\n")
        } catch let error as ConfigurationError where result.format == .json {
            Program.output(json(warnings: [], mistakes: error.problems))
            throw CommandFailure.reported
        }
    }

    /// `{"file","good","warnings":[…],"mistakes":[…]}`, a line each.
    private func json(warnings: [String], mistakes: [String]) -> String {
        var json = JSONText()
        json.object { json in
            json.value("file", file ?? DaemonConfiguration.defaultFile)
            json.value("good", mistakes.isEmpty)
            json.array("warnings") { json in for each in warnings { json.value(nil, each) } }
            json.array("mistakes") { json in for each in mistakes { json.value(nil, each) } }
        }
        return json.text + "\n"
    }
}
