public import ArgumentParser
import CLinux
import Glibc
import Radio

/// What every program here does around its command: parse, run, turn errors into a message and an exit code.
///
/// 0 success, 1 failure, 2 wrong usage, 130 and 143 where a signal cut a finite job short.
public enum Program {
    public static let version = "0.1.0"

    /// Runs a command and ends the process.
    ///
    /// - Parameter arguments: nil is all that the process got.
    public static func run(_ root: (some AsyncParsableCommand).Type, _ arguments: [String]? = nil) async -> Never {
        let name = root.configuration.commandName ?? "\(root)"
        do {
            var command = try root.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch let exit as ProgramExit {
            if let message = exit.message { complain(message, as: name) }
            Glibc.exit(exit.code)
        } catch {
            end(root, error, name)
        }
    }

    private static func end(_ root: (some AsyncParsableCommand).Type, _ error: any Error, _ name: String) -> Never {
        switch error {
        case let error as RadioError:
            complain(error.description, as: name)
            exit(error.code == .badSource ? 2 : 1)
        default:
            break
        }
        let code = root.exitCode(for: error)
        switch code {
        case .success:
            // Help and version, which the parser delivers as errors.
            print(root.fullMessage(for: error))
            exit(0)
        case .validationFailure:
            write(root.fullMessage(for: error) + "\n")
            exit(2)
        default:
            complain("\(error)", as: name)
            exit(1)
        }
    }

    /// For programs that run long: keeps what is freed usable, and the process small. Call it before threads start.
    public static func keepMemorySmall() {
        clinux_share_heaps(2)
    }

    /// One line on standard error, with the program's name before it.
    public static func complain(_ message: String, as name: String) {
        write("\(name): \(message)\n")
    }

    /// One line on standard output, at once: a pipe would wait for what `print` keeps.
    public static func writeResult(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { _ = Glibc.write(1, $0.baseAddress, $0.count) }
    }

    /// Text on standard error. What cannot be written there cannot be told anywhere.
    public static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
    }
}

/// Ends a program with a code that is no failure of parsing.
public struct ProgramExit: Error {
    public var code: Int32
    public var message: String?

    public init(_ code: Int32, _ message: String? = nil) {
        self.code = code
        self.message = message
    }

    /// Wrong usage that the parser cannot see.
    public static func usage(_ message: String) -> ProgramExit {
        ProgramExit(2, message)
    }

    /// A command that asks the daemon was given no source of its own.
    ///
    /// - Parameter purpose: what the daemon would have been asked, after "no daemon is running".
    public static func noDaemon(_ purpose: String) -> ProgramExit {
        usage(
            "no daemon is running \(purpose); name a source, for example --source hci0 or "
                + "--source file:walk.btsnoop, or start the daemon: systemctl start beacond")
    }
}
