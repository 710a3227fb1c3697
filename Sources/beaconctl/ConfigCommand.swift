import ArgumentParser
import Console

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Checks and reloads the daemon's configuration.",
        subcommands: [Check.self, Reload.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says everything that is wrong with a configuration, with its lines.")

        @Argument(parsing: .captureForPassthrough)
        var arguments: [String] = []

        /// `config check` uses the reader that the daemon uses.
        func run() throws {
            throw AskingDaemon.become("config", ["check"] + arguments)
        }
    }

    struct Reload: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reloads the daemon's configuration. Fails with the mistakes if the daemon refuses it.")

        @Argument(parsing: .captureForPassthrough)
        var arguments: [String] = []

        func run() throws {
            throw AskingDaemon.become("config", ["reload"] + arguments)
        }
    }
}
