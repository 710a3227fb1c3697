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
    }

    /// Something that was waited for did not come.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) {
            self.description = description
        }
    }

    package let name: String
    private let pid: pid_t
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var ends: [CInt] = [-1, -1]
        switch input {
        case .nothing:
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        case .text(let text):
            try text.write(toFile: "\(folder)/input", atomically: false, encoding: .utf8)
            posix_spawn_file_actions_addopen(&actions, 0, "\(folder)/input", O_RDONLY, 0)
        case .pipe:
            // A socket pair, since it can be born closed for the programs that other tests start meanwhile.
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(description: "no pipe for \(name)") }
            posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, "\(folder)/output", O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, "\(folder)/errors", O_WRONLY | O_CREAT | O_APPEND, 0o644)

        // The threads that run tests may block or ignore signals, and a child would go on doing so.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var variables = ProcessInfo.processInfo.environment
        // No test meets the daemon of another by chance.
        variables["BEACOND_CONTROL_SOCKET"] = "none"
        // Where the tests' counterparts are is no setting of the programs.
        for name in variables.keys where name.hasPrefix("BEACOND_") && name.hasSuffix("_VENV") { variables[name] = nil }
        for (name, value) in environment { variables[name] = value }
        var pointers = ([program] + arguments).map { strdup($0) } + [nil]
        var environmentPointers = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { (pointers + environmentPointers).forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, &actions, &attributes, &pointers, &environmentPointers)
        if ends[0] >= 0 { close(ends[0]) }
        guard result == 0 else {
            if ends[1] >= 0 { close(ends[1]) }
            throw Failure(description: "\(program) cannot be run: \(String(cString: strerror(result)))")
        }
        pid = process
        pipe = ends[1] >= 0 ? ends[1] : nil
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
    }

    /// Runs a program to its end.
    package static func run(
        _ program: String, _ arguments: [String] = [], input: Input = .nothing, environment: [String: String?] = [:],
        within limit: Duration = .seconds(60)
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

    // MARK: - Waiting

    /// The exit code once it has ended (128 + N for a signal), nil before.
    package var status: Int32? {
        ended.withLock { ended in
            var status: CInt = 0
            if ended == nil, waitpid(pid, &status, WNOHANG) == pid {
                ended = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            return ended
        }
    }

    /// Waits for its end. One that takes longer is killed, and that is an error.
    package func wait(within limit: Duration = .seconds(60)) async throws -> Outcome {
        let deadline = ContinuousClock.now + limit
        while true {
            if let status { return Outcome(status: status, output: output, errors: errors) }
            guard ContinuousClock.now < deadline else {
                signal(SIGKILL)
                throw Failure(description: "\(name) did not end within \(limit)\(printed)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits for something that it prints, or brings about. That it ends, or time runs out, is an error.
    package func waitUntil(
        _ what: String, within limit: Duration = .seconds(30), _ condition: (RunningProgram) throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            // In this order: it may print its last words and end between the two.
            let status = status
            if try condition(self) { return }
            if let status { throw Failure(description: "\(name) ended with \(status) before \(what)\(printed)") }
            guard ContinuousClock.now < deadline else {
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
    package func stop(with number: Int32? = nil, within limit: Duration = .seconds(20)) async throws -> Outcome {
        signal(number ?? SIGTERM)
        return try await wait(within: limit)
    }

    /// Writes a line to its standard input, which must be a pipe.
    package func write(_ line: String) throws {
        let text = line + "\n"
        guard let pipe, Glibc.write(pipe, text, text.utf8.count) == text.utf8.count else {
            throw Failure(description: "\(name) does not read")
        }
    }
}
