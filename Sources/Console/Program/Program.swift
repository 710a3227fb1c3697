package import ArgumentParser
import CLinux
import Glibc
import Platform
import Radio
package import Text

/// What every program here does around its command: parse, run, turn errors into a message and an exit code.
///
/// 0 success, 1 failure, 2 wrong usage, 130 and 143 where a signal cut a finite job short.
package enum Program {
    package static let version = SoftwareVersion.text

    /// Runs a command and ends the process.
    ///
    /// - Parameters:
    ///   - arguments: nil is all that the process got.
    ///   - besides: commands of the program that the parser does not know.
    package static func run(
        _ root: (some AsyncParsableCommand).Type, _ arguments: [String]? = nil, besides: [String] = []
    ) async -> Never {
        let name = root._commandName
        let words = CommandWords.joiningNegativeNumbers(arguments ?? Array(CommandLine.arguments.dropFirst()))
        DescriptorLimit.raise()
        do {
            var command = try root.parseAsRoot(words)
            if let command = command as? any ResultCommand { try redirectOutput(of: command) }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch let failure as CommandFailure {
            end(failure, as: name)
        } catch let error as RadioError where error.code == .badSource {
            end(.usage(error.description), as: name)
        } catch {
            end(root, error, name) { UsageMistake($0).text(root, words: words, besides: besides) }
        }
    }

    private static func redirectOutput(of command: some ResultCommand) throws(CommandFailure) {
        if let path = command.result.output { try ResultFile.redirectOutput(to: path) }
    }

    /// Ends the process, with the failure's message.
    package static func end(_ failure: CommandFailure, as name: String) -> Never {
        if let message = failure.message { complain(message, as: name) }
        switch failure.kind {
        case .usage: exit(2)
        case .failure: exit(1)
        case .interrupted(let signal): exit(status(of: signal))
        }
    }

    /// As a shell says it: 130 for SIGINT, 143 for SIGTERM.
    package static func status(of signal: Int32) -> Int32 { 128 + signal }

    private static func end(
        _ root: (some AsyncParsableCommand).Type, _ error: any Error, _ name: String, _ mistake: (String) -> String
    ) -> Never {
        let code = root.exitCode(for: error)
        switch code {
        case .success:
            // Help and version, which the parser delivers as errors.
            print(root.fullMessage(for: error))
            exit(0)
        case .validationFailure:
            write(mistake(root.fullMessage(for: error)) + "\n")
            exit(2)
        default:
            complain(words(for: error), as: name)
            exit(1)
        }
    }

    /// What an error says, where it is one of this project's, or of the parser's: a library's words are not for people.
    private static func words(for error: any Error) -> String {
        if error is any ExplainedError { return "\(error)" }
        let type = String(reflecting: type(of: error))
        let isForeign = ["NIO", "_NIO", "AsyncHTTPClient.", "Swift.", "_Concurrency.", "Foundation", "GRDB."]
            .contains { type.hasPrefix($0) }
        return isForeign ? "something failed that should not; please report what you did, and: \(type)" : "\(error)"
    }

    /// For programs that run long: keeps what is freed usable, and the process small. Call it before threads start.
    package static func keepMemorySmall() {
        clinux_share_heaps(2)
    }

    /// One line on standard error, with the program's name before it.
    package static func complain(_ message: String, as name: String) {
        write("\(name): \(message)\n")
    }

    /// One line on standard output, at once: a pipe would wait for what `print` keeps.
    package static func writeResult(_ line: String) {
        var line = printable(line) + "\n"
        line.withUTF8 { _ = Glibc.write(1, $0.baseAddress, $0.count) }
    }

    /// A message on standard error. On a terminal it goes on in lines of its own where it is too long for one.
    package static func tell(_ message: String, _ terminal: Terminal = .standardError) {
        let lines = terminal.limit.map { wrapped(printable(message), $0) } ?? [message]
        write(lines.joined(separator: "\n") + "\n")
    }

    /// Text on standard error, made printable: names and paths in it may come from anywhere. What cannot be written
    /// there cannot be told anywhere.
    package static func write(_ text: String) {
        draw(printableLines(text))
    }

    /// The same for what moves the cursor. The caller makes printable what comes from outside.
    package static func draw(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
