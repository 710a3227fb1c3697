import Glibc
import Radio

/// Another program of this package. It is installed in the same folder or in one of the package's folders.
package enum Companion {
    /// Replaces this process with that program. Returns only if that fails, with the error.
    package static func become(_ name: String, _ arguments: [String]) -> CommandFailure {
        for folder in [ownFolder, "/usr/libexec/beacond", "/usr/bin"].compactMap({ $0 }) {
            let path = "\(folder)/\(name)"
            guard access(path, X_OK) == 0 else { continue }
            // Threads of the Swift runtime block signals, and the program would inherit the signal mask.
            var signals = sigset_t()
            sigemptyset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            var words = ([name] + arguments).map { strdup($0) } + [nil]
            execv(path, &words)
            return CommandFailure("\(path) cannot be started: \(String(cString: strerror(errno)))")
        }
        return CommandFailure(
            "\(name) is not beside this program: install it again, or build it (swift build -c release)")
    }

    private static var ownFolder: String? {
        KernelFiles.target(ofLink: "/proc/self/exe").flatMap { path in
            path.lastIndex(of: "/").map { String(path[..<$0]) }
        }
    }
}
