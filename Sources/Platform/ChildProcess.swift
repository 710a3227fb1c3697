import CLinux
import Glibc

/// Another program, run to its end in a process group of its own. Blocks its thread.
package struct ChildProcess: Sendable {
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// It took too long and was ended.
        case timedOut
    }

    /// Why the program could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package var what: String
        package var reason: SystemFailure

        package init(what: String, reason: SystemFailure) {
            self.what = what
            self.reason = reason
        }

        package var description: String { "\(what): \(reason)" }
    }

    /// The first one is the program's path.
    package var command: [String]
    package var variables: [String: String]
    /// Descriptors of this process, by their numbers in the child. The child gets no others, except 1 and 2: unless
    /// they are named here, they are a pipe to `printed`.
    package var descriptors: [Int32: Int32]
    package var timeout: Duration
    /// The time between SIGTERM and SIGKILL; zero for SIGKILL at once.
    package var grace = Duration.seconds(2)
    /// When this descriptor becomes readable, the child has the time `farewell` to finish; negative for none.
    package var stop: Int32 = -1
    package var farewell = Duration.seconds(4)

    package init(
        command: [String], variables: [String: String], descriptors: [Int32: Int32], timeout: Duration
    ) {
        self.command = command
        self.variables = variables
        self.descriptors = descriptors
        self.timeout = timeout
    }

    /// - Parameter printed: receives the child's output, in parts.
    package func run(_ printed: ([UInt8]) -> Void) throws(Failure) -> Ending {
        let output: OutputPipe
        do throws(SystemFailure) { output = try OutputPipe() } catch {
            throw Failure(what: "no pipe for its output", reason: error)
        }
        let process: pid_t
        do throws(SystemFailure) { process = try spawn(output) } catch {
            throw Failure(what: "cannot be run", reason: error)
        }
        output.closeWriting()
        return try watch(process, output, printed)
    }

    // MARK: - Starting

    private func spawn(_ output: OutputPipe) throws(SystemFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let all = [1: output.writing, 2: output.writing].merging(descriptors) { _, named in named }
        for (number, own) in all.sorted(by: { $0.key < $1.key }) {
            posix_spawn_file_actions_adddup2(&actions, own, number)
        }
        // Closes descriptors that libraries have opened without O_CLOEXEC.
        clinux_close_from(&actions, (all.keys.max() ?? 2) + 1)

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
        guard code == 0 else { throw SystemFailure(code) }
        return process
    }

    // MARK: - Waiting for the end

    private func watch(
        _ process: pid_t, _ output: OutputPipe, _ printed: ([UInt8]) -> Void
    ) throws(Failure) -> Ending {
        let descriptor = clinux_process_descriptor(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        var deadline = ContinuousClock.now + timeout
        var isStopping = false
        /// The last signal that was sent to the command: 0 for none, SIGTERM or SIGKILL.
        var sent: Int32 = 0
        while true {
            var watched = [
                pollfd(fd: output.isReading ? output.reading : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isStopping ? -1 : stop, events: Int16(POLLIN), revents: 0),
            ]
            // After SIGKILL this can only wait, even for a process that is blocked by a dead disk.
            let rest = sent == SIGKILL ? 60_000 : PollTimeout.milliseconds(until: deadline)
            // Without a process descriptor (older kernels) the process is polled.
            poll(&watched, 3, min(rest, descriptor >= 0 ? 60_000 : 50))
            if watched[0].revents != 0 { printed(output.read()) }
            var status: Int32 = 0
            let ended = waitpid(process, &status, WNOHANG)
            // Another part of this program has waited for the child, or SIGCHLD is ignored. In both cases the child
            // has ended.
            guard ended >= 0 || errno == EINTR else {
                throw Failure(what: "its exit status is lost", reason: SystemFailure())
            }
            if ended == process {
                // Processes that it left running may keep the pipe open. This does not wait for them.
                printed(output.read())
                return ending(status, timedOut: sent != 0 && !isStopping)
            }
            if watched[2].revents != 0 {
                isStopping = true
                deadline = min(deadline, .now + farewell)
            }
            guard ContinuousClock.now >= deadline, sent != SIGKILL else { continue }
            sent = sent == 0 && grace > .zero ? SIGTERM : SIGKILL
            kill(-process, sent)
            deadline = .now + max(grace, .seconds(1))
        }
    }

    private func ending(_ status: Int32, timedOut: Bool) -> Ending {
        if timedOut { return .timedOut }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}

/// A pipe that no child process inherits, and whose reading end never blocks.
private final class OutputPipe {
    let reading: Int32
    private(set) var writing: Int32
    private(set) var isReading = true

    init() throws(SystemFailure) {
        var ends: [Int32] = [0, 0]
        guard ownPipe(&ends) else { throw SystemFailure() }
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

/// Makes a pipe that no child process inherits.
package func ownPipe(_ ends: inout [Int32]) -> Bool {
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
}
