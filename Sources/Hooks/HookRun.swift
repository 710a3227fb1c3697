import CLinux
import Glibc
import Synchronization

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
    /// Set when the daemon ends: the command then has `farewell` to finish.
    let stop: HookStop

    /// The time between SIGTERM and SIGKILL.
    private static let grace = Duration.seconds(2)
    private static let farewell = Duration.seconds(4)

    func run() -> Outcome {
        let output: Pipe
        do throws(Failure) {
            output = try Pipe()
        } catch {
            return .failed(error.description)
        }
        let process: pid_t
        switch spawn(output) {
        case .success(let started): process = started
        case .failure(let failure): return .failed(failure.description)
        }
        output.closeWriting()
        return watch(process, output)
    }

    // MARK: - Starting

    private struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ what: String, _ code: Int32 = errno) {
            description = "\(what): \(String(cString: strerror(code)))"
        }
    }

    private func spawn(_ output: Pipe) -> Result<pid_t, Failure> {
        // A file in memory: nothing blocks, however long the text is and whether or not the command reads it.
        let standardInput = clinux_memory_file("event")
        guard standardInput >= 0 else { return .failure(Failure("no file for its input")) }
        defer { close(standardInput) }
        var text = input + "\n"
        let isWritten = text.withUTF8 { Glibc.write(standardInput, $0.baseAddress, $0.count) == $0.count }
        guard isWritten, lseek(standardInput, 0, SEEK_SET) == 0 else {
            return .failure(Failure("no file for its input"))
        }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        posix_spawn_file_actions_adddup2(&actions, output.writing, 2)
        // Closes descriptors that libraries have opened without O_CLOEXEC.
        clinux_close_from(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This program's threads block and ignore some signals. A child would inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A separate process group, so that its child processes end with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var arguments = command.map { strdup($0) } + [nil]
        var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, command[0], &actions, &attributes, &arguments, &environment)
        return code == 0 ? .success(process) : .failure(Failure("cannot be run", code))
    }

    // MARK: - Waiting for the end

    private func watch(_ process: pid_t, _ output: Pipe) -> Outcome {
        let descriptor = clinux_process_descriptor(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        var lines = OutputLines()
        var deadline = ContinuousClock.now + timeout
        var isStopping = false
        /// The last signal that was sent to the command: 0 for none, SIGTERM or SIGKILL.
        var sent: Int32 = 0
        while true {
            let isOpen = output.isReading
            var watched = [
                pollfd(fd: isOpen ? output.reading : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isStopping ? -1 : stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let rest = (deadline - .now) / .milliseconds(1) + 1
            // Without a process descriptor (older kernels) the process is polled.
            poll(&watched, 3, Int32(max(0, min(rest, descriptor >= 0 ? 60_000 : 50))))
            if watched[0].revents != 0 { lines.take(output.read()).forEach(printed) }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                // Processes that it left running may keep the pipe open. They are not waited for.
                lines.take(output.read()).forEach(printed)
                lines.end().forEach(printed)
                return outcome(status, timedOut: sent != 0 && !isStopping)
            }
            if watched[2].revents != 0 {
                isStopping = true
                deadline = min(deadline, .now + Self.farewell)
            }
            guard ContinuousClock.now >= deadline, sent != SIGKILL else { continue }
            sent = sent == 0 ? SIGTERM : SIGKILL
            kill(-process, sent)
            deadline = .now + Self.grace
        }
    }

    private func outcome(_ status: Int32, timedOut: Bool) -> Outcome {
        if timedOut { return .failed("took longer than \(timeout.components.seconds) s and was ended") }
        let signal = status & 0x7F
        if signal != 0 { return .failed("was ended by signal \(signal)") }
        let code = status >> 8 & 0xFF
        return code == 0 ? .succeeded : .failed("ended with \(code)")
    }

    /// A pipe whose reading end never blocks.
    private final class Pipe {
        let reading: Int32
        private(set) var writing: Int32
        private(set) var isReading = true

        init() throws(Failure) {
            var ends: [Int32] = [0, 0]
            guard ownPipe(&ends) else { throw Failure("no pipe for its output") }
            (reading, writing) = (ends[0], ends[1])
            _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        }

        deinit {
            close(reading)
            closeWriting()
        }

        func closeWriting() {
            if writing >= 0 { close(writing) }
            writing = -1
        }

        /// All data that is available now.
        func read() -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while isReading, bytes.count < 1 << 18 {
                let count = Glibc.read(reading, &chunk, chunk.count)
                if count > 0 {
                    bytes += chunk[..<count]
                } else {
                    if count == 0 { isReading = false }
                    break
                }
            }
            return bytes
        }
    }
}

/// Tells all running commands that the daemon is ending.
final class HookStop: Sendable {
    /// Readable when the daemon is ending; negative if there was no free descriptor: commands then run until their
    /// time-outs.
    let descriptor: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = ownPipe(&ends)
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        for end in [descriptor, writing] where end >= 0 { close(end) }
    }

    func request() {
        var one: UInt8 = 1
        if writing >= 0 { _ = Glibc.write(writing, &one, 1) }
    }
}

/// Makes a pipe that no child process inherits.
private func ownPipe(_ ends: inout [Int32]) -> Bool {
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
}
