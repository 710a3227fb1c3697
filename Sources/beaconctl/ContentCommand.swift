import ArgumentParser
import Console

/// The content commands are a program of their own, since they bring a network client and TLS: every other command
/// would pay for them in memory.
struct ContentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Looks at the stored content, and brings it in step with its site.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []

    func run() throws {
        throw Companion.become("beaconctl-content", arguments)
    }
}
