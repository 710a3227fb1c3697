package import ArgumentParser
import CLinux
import Glibc
import Platform
import Radio
import Settings
package import Text

/// The frame of every program: parses, runs, and turns errors into a message and an exit code.
///
/// 0 success, 1 failure, 2 wrong usage, 130 and 143 if a signal interrupted a finite job.
package enum Program {
    package static let version = SoftwareVersion.text

    /// Runs a command and ends the process.
    ///
    /// - Parameters:
    ///   - arguments: nil for the process's arguments.
    ///   - besides: further commands that the parser does not know.
    package static func run(
        _ root: (some AsyncParsableCommand).Type, _ arguments: [String]? = nil, besides: [String] = []
    ) async -> Never {
        let name = root._commandName
        let words = CommandWords.joiningNegativeNumbers(arguments ?? Array(CommandLine.arguments.dropFirst()))
        StandardOutput.name(name)
        DescriptorLimit.raise()
        dieQuietly()
        keepExitStatuses()
        if let problem = CommandWords.problem(of: CommandWords.own) { end(.usage(problem), as: name) }
        var asked = words
        do {
            if let unknown = CommandWords.unknownHelp(words, of: root, besides: besides) {
                asked = unknown
                _ = try root.parseAsRoot(unknown)
            }
            var command = try root.parseAsRoot(words)
            if let command = command as? any ResultCommand { try redirectOutput(of: command) }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            StandardOutput.begin()
            exit(0)
        } catch let failure as CommandFailure {
            end(failure, as: name)
        } catch let error as UnusableConfiguration {
            end(.usage(error.description), as: name)
        } catch let error as any UsageError where error.isWrongUsage {
            end(.usage("\(error)"), as: name)
        } catch let error as RadioError where error.code == .badSource {
            end(.usage(error.description), as: name)
        } catch {
            end(root, error, name) { UsageMistake($0).text(root, words: asked, besides: besides) }
        }
    }

    /// If a toolchain is installed, Swift's runtime writes a stack trace for these signals, and asks on a terminal what
    /// to do. That is for developers, who can request it (`SWIFT_BACKTRACE`).
    private static func dieQuietly() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { signal(number, SIG_DFL) }
    }

    /// The parent may ignore SIGCHLD, which this process inherits. Then the kernel keeps no exit status of a child that
    /// has ended (waitpid(2)).
    private static func keepExitStatuses() {
        signal(SIGCHLD, SIG_DFL)
    }

    private static func redirectOutput(of command: some ResultCommand) throws(CommandFailure) {
        if let path = command.result.output { try ResultFile.redirectOutput(to: path) }
    }

    /// Ends the process with a code and its message.
    package static func end(_ failure: CommandFailure, as name: String) -> Never {
        if let message = failure.message { complain(message, as: name) }
        switch failure.kind {
        case .usage: exit(2)
        case .failure: exit(1)
        case .interrupted(let signal): exit(status(of: signal))
        }
    }

    /// As in a shell: 130 for SIGINT, 143 for SIGTERM.
    package static func status(of signal: Int32) -> Int32 { 128 + signal }

    private static func end(
        _ root: (some AsyncParsableCommand).Type, _ error: any Error, _ name: String, _ mistake: (String) -> String
    ) -> Never {
        let code = root.exitCode(for: error)
        switch code {
        case .success:
            // The parser delivers help and version as errors.
            output(root.fullMessage(for: error) + "\n")
            exit(0)
        case .validationFailure:
            write(mistake(root.fullMessage(for: error)) + "\n")
            exit(2)
        default:
            complain(words(for: error), as: name)
            exit(1)
        }
    }

    /// The text of an error of this project or of the parser. Texts of other libraries are not for users.
    private static func words(for error: any Error) -> String {
        if error is any ExplainedError { return "\(error)" }
        let type = String(reflecting: type(of: error))
        let isForeign = ["NIO", "_NIO", "AsyncHTTPClient.", "Swift.", "_Concurrency.", "Foundation", "GRDB."]
            .contains { type.hasPrefix($0) }
        return isForeign ? "unexpected failure; please report what you did, and: \(type)" : "\(error)"
    }

    /// For programs that run long: keeps freed memory usable and the process small. Call it before threads start.
    package static func keepMemorySmall() {
        clinux_share_heaps(2)
    }

    /// Writes one line to standard error that starts with the program's name.
    package static func complain(_ message: String, as name: String) {
        write("\(name): \(message)\n")
    }

    /// Writes one line to standard output at once. `print` would buffer it when the output is a pipe.
    package static func writeResult(_ line: String) {
        output(printable(line) + "\n")
    }

    /// Writes a result to standard output at once, as it is. Ends the program if that is impossible.
    package static func output(_ text: String) {
        var text = text
        text.withUTF8 { StandardOutput.write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a message to standard error. On a terminal, a long one is wrapped.
    package static func tell(_ message: String, _ terminal: Terminal = .standardError) {
        let lines = terminal.limit.map { wrapped(printable(message), $0) } ?? [message]
        write(lines.joined(separator: "\n") + "\n")
    }

    /// Writes text to standard error. It is made printable, because names and paths in it may come from anywhere. A
    /// failure to write is ignored, because it could not be reported.
    package static func write(_ text: String) {
        draw(printableLines(text))
    }

    /// The same without making it printable, for cursor movements. The caller makes text from outside printable.
    package static func draw(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
