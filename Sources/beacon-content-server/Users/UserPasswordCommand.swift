import ArgumentParser
import Console
import CurationStore

struct UserPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Set an account's password, and sign it out everywhere.")

    @Argument(help: "The account's name.") var name: String
    @OptionGroup var password: PasswordOptions
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let password = try Secrets.password(from: password.passwordFile, for: name)
        let store = try state.store()
        defer { store.close() }
        try await store.setPassword(password, of: name)
    }
}
