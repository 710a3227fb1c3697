import ArgumentParser
import Console
import ContentServer
import Curation
import CurationStore
import Platform

extension Account.Role: ExpressibleByArgument {}

struct UserAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Make an account.")

    @Argument(help: "Its name.") var name: String
    @Option(help: "viewer, editor or administrator.") var role = Account.Role.editor
    @OptionGroup var password: PasswordOptions
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let password = try Secrets.password(from: password.passwordFile, for: name)
        let store = try state.store(isNew: true)
        defer { store.close() }
        try await store.createAccount(name, role: role, password: password, at: Moment(WallClock.now))
    }
}
