import Glibc
import HCI
import Platform

/// What tests start as a process of its own, so that they can kill it.
///
///     test-helper write-history FILE [OCTETS]
///     test-helper sync-content URL FOLDER
///     test-helper store-media FOLDER RUN [OCTETS]
///     test-helper write-curation FOLDER [BYTES]
///     test-helper rest MILLISECONDS
///     test-helper encode-command OCTETS
@main
struct TestHelper {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("write-history", 2...3):
            try HistoryWriter(file: words[1]).run(limit: words.dropFirst(2).first.flatMap { UInt($0) })
        case ("write-curation", 2...3):
            var writer = try CurationWriter(folder: words[1], limit: words.dropFirst(2).first.flatMap { UInt($0) })
            try await writer.run()
        case ("sync-content", 3): try await syncContent(from: words[1], into: words[2])
        case ("rest", 2):
            // On a thread of its own, as ranging does.
            let executor = try ThreadExecutor()
            await executor.sleep(for: .milliseconds(Int(words[1]) ?? 0))
            say("rested")
        case ("encode-command", 2):
            say(
                "\(Command(.leSetExtendedAdvertisingData, Array(repeating: 7, count: Int(words[1]) ?? 0)).packet.count)"
            )
        case ("store-media", 3...4):
            try await MediaWriter(folder: words[1], run: words[2])
                .write(limit: words.dropFirst(3).first.flatMap { UInt($0) })
        default:
            say(
                """
                usage: test-helper write-history FILE [OCTETS] | sync-content URL FOLDER \
                | store-media FOLDER RUN [OCTETS] | write-curation FOLDER [BYTES] | rest MILLISECONDS \
                | encode-command OCTETS
                """
            )
            exit(2)
        }
    }
}

/// Prints a line at once, also into a pipe or a file.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
