import ArgumentParser
import Console

/// What `beaconctl content` starts.
@main
struct ContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beaconctl content",
        abstract: "Looks at the stored content, and brings it in step with its site.",
        discussion: """
            Looking works at any time, also while the daemon syncs. To sync, repair or prune a store, no other program \
            may be syncing into it.
            """,
        version: "beaconctl \(Program.version)",
        subcommands: [
            ContentListCommand.self, ContentShowCommand.self, ContentSyncCommand.self, ContentVerifyCommand.self,
            ContentPruneCommand.self,
        ])

    static func main() async {
        await Program.run(Self.self)
    }
}
