import Glibc
import Platform

/// Another program of this package.
package enum Companion {
    /// Replaces this process with that program. Returns only if that fails, with the error.
    package static func become(_ name: String, _ arguments: [String]) -> CommandFailure {
        guard let path = OwnProgram.path(of: name) else {
            return CommandFailure(
                "\(name) is not beside this program: install it again, or build it (swift build -c release)")
        }
        // Threads of the Swift runtime block signals, and the program would inherit the signal mask.
        var signals = sigset_t()
        sigemptyset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        var words = ([name] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        return CommandFailure("\(path) cannot be started: \(String(cString: strerror(errno)))")
    }
}
