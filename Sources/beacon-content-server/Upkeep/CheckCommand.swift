import ArgumentParser
import Console
import CurationStore
import Media

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look for damage in the database and the media library.")

    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let store = try state.store()
        defer { store.close() }
        var lines = try await store.check().map { "\($0)" }
        let needed = try await store.neededAssets()
        lines += try await state.media().check(needed: needed).map { "\($0)" }
        let numbers = try await store.revisionNumbers()
        if let ahead = numbers.ahead {
            lines.append(
                "devices hold revision \(ahead), and revision \(numbers.current) is published: they refuse it; publish "
                    + "again, which makes revision \(numbers.next)")
        }
        for line in lines { Program.writeResult(line) }
        guard lines.isEmpty else { throw CommandFailure.reported }
        Program.tell("nothing is wrong")
    }
}
