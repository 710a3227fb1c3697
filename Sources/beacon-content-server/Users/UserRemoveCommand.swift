import ArgumentParser
import Console
import CurationStore
import Text

struct UserRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an account. Its name stays in the history.")

    @Argument(help: "The account's name.") var name: String
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let store = try state.store()
        defer { store.close() }
        let revoked = try await store.removeAccount(name)
        guard revoked > 0 else { return }
        Program.tell("\(counted(revoked, "token")) with the scope admin that \(name) has made stopped working")
    }
}
