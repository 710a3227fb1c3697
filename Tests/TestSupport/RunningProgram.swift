import Foundation
import Synchronization

/// A program that a test has started. What it prints is collected in files, so that it never waits for a reader.
///
///     let scan = try RunningProgram(beaconctl, ["sightings", "--source", "sim"])
///     try await scan.waitUntil("it has heard three beacons") { $0.lines.count > 3 }
///     let end = try await scan.stop(with: SIGTERM)
///
/// Waiting blocks no thread of the cooperative pool. A program that still runs when its object goes is ended.
package final class RunningProgram: Sendable {
    /// What the program reads.
    package enum Input: Sendable {
        case nothing
        case text(String)
        /// An open pipe: `write` sends lines, and it ends with the object.
        case pipe
    }

    /// How a program ended.
    package struct Outcome: Sendable {
        /// The exit code; 128 and the signal's number where a signal killed it.
        package var status: Int32
        package var output: String
        package var errors: String

        /// The lines of the output.
        package var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// Without what follows the last line's end: a program that is killed may have written a part of a line.
        package var completeLines: [String] { RunningProgram.completeLines(output) }
    }

    /// Something that was waited for did not come.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) {
            self.description = description
        }
    }

    package let name: String
    package let pid: Int32
    private let folder: String
    private let pipe: CInt?
    private let ended = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - program: its path; one without a slash is looked for in PATH.
    ///   - environment: variables to set besides the test's own; nil removes one.
    package init(
        _ program: String, _ arguments: [String] = [], input: Input = .nothing, environment: [String: String?] = [:]
    ) throws {
        name = ([program.split(separator: "/").last.map(String.init) ?? program] + arguments).joined(separator: " ")
        folder = try temporaryFolder("program")
        var ends: [CInt] = [-1, -1]
        if case .pipe = input {
            // A socket pair, since it can be born closed for the programs that other tests start meanwhile.
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(description: "no pipe for \(name)") }
        }
        if case .text(let text) = input {
            try text.write(toFile: "\(folder)/input", atomically: false, encoding: .utf8)
        }

        var variables = ProcessInfo.processInfo.environment
        // No test meets the daemon of another by chance.
        variables["BEACOND_CONTROL_SOCKET"] = "none"
        // Where the tests' counterparts are is no setting of the programs.
        for name in variables.keys where name.hasPrefix("BEACOND_") && name.hasSuffix("_VENV") { variables[name] = nil }
        for (name, value) in environment { variables[name] = value }
        let (inner, outer) = (ends[0], ends[1])
        defer { if inner >= 0 { close(inner) } }
        do {
            pid = try spawn(
                program, arguments, environment: variables, output: "\(folder)/output", errors: "\(folder)/errors"
            ) { [folder] actions in
                switch input {
                case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
                case .text: posix_spawn_file_actions_addopen(&actions, 0, "\(folder)/input", O_RDONLY, 0)
                case .pipe: posix_spawn_file_actions_adddup2(&actions, inner, 0)
                }
            }
        } catch {
            if outer >= 0 { close(outer) }
            throw error
        }
        pipe = outer >= 0 ? outer : nil
        Orphans.shared.started(pid)
    }

    deinit {
        end()
        if let pipe { close(pipe) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A moment to end in order, with whatever it has started itself, then the hard way.
    private func end() {
        for number in [SIGTERM, SIGKILL] {
            signal(number)
            if blockUntil(within: .seconds(2), { status != nil }) { return }
        }
        reap(pid)
    }

    /// Runs a program to its end.
    package static func run(
        _ program: String, _ arguments: [String] = [], input: Input = .nothing, environment: [String: String?] = [:],
        within limit: Duration = longestWait
    ) async throws -> Outcome {
        try await RunningProgram(program, arguments, input: input, environment: environment).wait(within: limit)
    }

    // MARK: - What it printed

    package var output: String { text(of: "output") }
    package var errors: String { text(of: "errors") }

    /// The complete lines of the output so far.
    package var lines: [String] { Self.completeLines(output) }

    /// The complete lines of standard error so far.
    package var errorLines: [String] { Self.completeLines(errors) }

    private static func completeLines(_ text: String) -> [String] {
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n").map(String.init)
    }

    private func text(of file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data(), as: UTF8.self)
    }

    /// Octets of memory that it uses at present; nil once it has ended.
    package var residentOctets: Int? {
        let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 }
    }

    /// Whether it has a handler for a signal, so that the signal does not simply end it.
    package func handles(_ number: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask = line?.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask >> UInt64(number - 1) & 1 == 1
    }

    // MARK: - Waiting

    /// The exit code once it has ended (128 + N for a signal), nil before.
    package var status: Int32? {
        ended.withLock { ended in
            var status: CInt = 0
            if ended == nil, waitpid(pid, &status, WNOHANG) == pid {
                Orphans.shared.ended(pid)
                ended = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            return ended
        }
    }

    /// Waits for its end. One that takes longer is killed, and that is an error.
    package func wait(within limit: Duration = longestWait) async throws -> Outcome {
        var time = PollLimit(limit)
        while true {
            if let status { return Outcome(status: status, output: output, errors: errors) }
            guard !time.isOver() else {
                signal(SIGKILL)
                throw Failure(description: "\(name) did not end within \(limit)\(printed)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits for something that it prints, or brings about. That it ends, or time runs out, is an error.
    package func waitUntil(
        _ what: String, within limit: Duration = longestWait, _ condition: (RunningProgram) throws -> Bool
    ) async throws {
        var time = PollLimit(limit)
        while true {
            // In this order: it may print its last words and end between the two.
            let status = status
            if try condition(self) { return }
            if let status { throw Failure(description: "\(name) ended with \(status) before \(what)\(printed)") }
            guard !time.isOver() else {
                throw Failure(description: "waited \(limit) for \(name) until \(what)\(printed)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The last lines, for a message.
    private var printed: String {
        let last = [("stdout", lines.suffix(10)), ("stderr", errorLines.suffix(20))]
        return last.map { "\n--- \($0)\n" + $1.joined(separator: "\n") }.joined()
    }

    // MARK: - Telling it something

    package func signal(_ number: Int32) {
        // Not once it has ended: the number may be another process's by then.
        ended.withLock { if $0 == nil { kill(pid, number) } }
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Parameter number: SIGTERM where none is given.
    package func stop(with number: Int32? = nil, within limit: Duration = longestWait) async throws -> Outcome {
        signal(number ?? SIGTERM)
        return try await wait(within: limit)
    }

    /// Writes a line to its standard input, which must be a pipe.
    package func write(_ line: String) throws {
        let text = line + "\n"
        // The end of a program must not end this one.
        guard let pipe, send(pipe, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count else {
            let end = status.map { " ended with \($0) and" } ?? ""
            throw Failure(description: "\(name)\(end) does not read '\(line)'; it said: \(errors.suffix(1000))")
        }
    }
}
