import ArgumentParser
import Console

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Checks the daemon's configuration.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says everything that is wrong with a configuration, with its lines.",
            discussion: "Exit status 1 when something is. BEACOND_… variables count, as they do for the daemon.")

        @Argument(help: "The configuration (default: /etc/beacond/beacond.yaml).")
        var file: String?

        /// The daemon knows best what it accepts.
        func run() throws {
            throw Companion.become("beacond", ["--check-config"] + (file.map { ["--config", $0] } ?? []))
        }
    }
}
