import ArgumentParser
import CurationStore

struct UserRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an account. Its name stays in the history.")

    @Argument(help: "The account's name.") var name: String
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let store = try state.store()
        defer { store.close() }
        try await store.removeAccount(name)
    }
}
