import ArgumentParser

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the accounts of curators.",
        subcommands: [
            UserAddCommand.self, UserPasswordCommand.self, UserListCommand.self, UserRemoveCommand.self,
            UserLinkCommand.self,
        ])
}

/// Where a password comes from.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the password from the first line of this file; - is standard input. Without it, it is asked for.",
            valueName: "file"))
    var passwordFile: String?
}
