import ArgumentParser
import Console
import Curation
import CurationStore
import Text

struct UserListCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the accounts.")

    @OptionGroup var result: ResultOptions<TextFormat>
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        try FilesApart.require([state.database])
        let store = try state.store()
        defer { store.close() }
        for account in try await store.accounts() {
            let words = [account.role.rawValue] + (account.isEnabled ? [] : ["disabled"])
            if result.format == .json {
                var json = JSONText()
                json.object { json in
                    json.value("name", account.name)
                    json.value("role", account.role.rawValue)
                    json.value("enabled", account.isEnabled)
                    json.value("signed_in_at", account.signedInAt?.description)
                }
                Program.writeResult(json.text)
            } else {
                Program.writeResult("\(account.name)\t\(words.joined(separator: ", "))")
            }
        }
    }
}
