import Glibc
import Platform
import Synchronization

/// Writes results: to standard output, or to the file of `--output`. Every result is written here, so that a failure is
/// always reported.
package enum StandardOutput {
    /// Whether the file of `--output` still has its former content.
    private static let isUntouched = Atomic(false)

    /// The names for messages.
    private struct Names {
        var program = ""
        /// The file of `--output`.
        var file: String?
    }

    private static let names = Mutex(Names())

    /// Messages begin with the program's name from now on.
    static func name(_ program: String) { names.withLock { $0.program = program } }

    /// Sends results to a file from now on. Its content stays until there is something to write, or until the program
    /// has succeeded: a source that cannot be opened must not cost an earlier recording.
    static func redirect(to path: String) throws(SystemFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        guard dup2(descriptor, STDOUT_FILENO) >= 0 else { throw SystemFailure() }
        isUntouched.store(true, ordering: .relaxed)
        names.withLock { $0.file = path }
    }

    /// Empties the file of `--output` if that is still to be done.
    package static func begin() {
        // Pipes and devices have nothing to empty.
        if isUntouched.exchange(false, ordering: .relaxed) { ftruncate(STDOUT_FILENO, 0) }
    }

    /// Writes everything at once, and ends the program if that is impossible.
    package static func write(_ octets: UnsafeRawBufferPointer) {
        guard !octets.isEmpty else { return }
        begin()
        var rest = octets[...]
        while !rest.isEmpty {
            let count = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                // The reader has closed the pipe (`| head`). Exit with the status of a program that SIGPIPE has ended.
                exit(128 + SIGPIPE)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                fail(SystemFailure())
            }
        }
    }

    private static func fail(_ reason: SystemFailure) -> Never {
        let told = Self.names.withLock { $0 }
        let what = told.file.map { "\($0): cannot write the result" } ?? "cannot write the output"
        Program.end(CommandFailure("\(what): \(reason)"), as: told.program)
    }

    /// Whether a file is regular and the one that results are written to.
    static func isFile(_ file: FileNumber) -> Bool {
        file.isRegular && file == FileNumber(descriptor: STDOUT_FILENO)
    }
}
