import CLinux
import Glibc
import Platform

/// Runs one command to its end. Blocks its thread.
struct HookRun: Sendable {
    enum Outcome: Hashable {
        case succeeded
        /// The text is for people.
        case failed(String)
    }

    let command: [String]
    let variables: [String: String]
    /// The command's standard input.
    let input: String
    let timeout: Duration
    /// Receives every line that the command prints.
    let printed: @Sendable (String) -> Void
    /// Set when the daemon ends: the command then has a few seconds to finish.
    let stop: HookStop

    func run() -> Outcome {
        do throws(ChildProcess.Failure) {
            return try outcome()
        } catch {
            return .failed(error.description)
        }
    }

    private func outcome() throws(ChildProcess.Failure) -> Outcome {
        // A file in memory: nothing blocks, however long the text is and whether or not the command reads it.
        let standardInput = clinux_memory_file("event")
        guard standardInput >= 0 else { throw noInput }
        defer { close(standardInput) }
        var text = input + "\n"
        let isWritten = text.withUTF8 { Glibc.write(standardInput, $0.baseAddress, $0.count) == $0.count }
        guard isWritten, lseek(standardInput, 0, SEEK_SET) == 0 else { throw noInput }

        var process = ChildProcess(
            command: command, variables: variables, descriptors: [0: standardInput], timeout: timeout)
        process.stop = stop.descriptor
        process.farewell = stop.farewell
        var lines = OutputLines()
        let ending = try process.run { bytes in lines.take(bytes).forEach(printed) }
        lines.end().forEach(printed)
        return switch ending {
        case .exited(0): .succeeded
        case .exited(let code): .failed("ended with \(code)")
        case .signalled(let signal): .failed("was ended by signal \(signal)")
        case .timedOut: .failed("took longer than \(timeout.components.seconds) s and was ended")
        }
    }

    private var noInput: ChildProcess.Failure {
        ChildProcess.Failure(what: "no file for its input", reason: SystemFailure())
    }
}
