import ArgumentParser

struct ContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Shows and checks the stored content, and syncs it with its site.",
        discussion: """
            Where a daemon runs, it is asked; with --store or --config, the store is worked on itself. Looking works \
            at any time, also while the daemon syncs. To sync, repair or prune a store itself, no other program may be \
            syncing into it.
            """,
        subcommands: [
            ContentListCommand.self, ContentShowCommand.self, ContentSyncCommand.self, ContentVerifyCommand.self,
            ContentPruneCommand.self, ContentCheckCommand.self,
        ])
}
