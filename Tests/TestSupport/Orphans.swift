import Foundation

/// Ends programs that still run when the test process has gone, however it went: a shell that reads their numbers from
/// a pipe, and acts when the pipe ends.
///
/// `PR_SET_PDEATHSIG` would not do: it means the thread that has started the program, and those of pools come and go.
package final class Orphans: Sendable {
    /// Of all programs that tests start.
    static let shared = Orphans()

    private let pipe: CInt
    private let shell: pid_t

    private static let script = """
        trap '' INT TERM HUP
        set --
        while read -r sign pid; do
            if [ "$sign" = + ]; then
                set -- "$@" "$pid"
            else
                for each; do
                    shift
                    [ "$each" = "$pid" ] || set -- "$@" "$each"
                done
            fi
        done
        [ $# -gt 0 ] || exit 0
        kill -TERM "$@"
        sleep 2
        kill -KILL "$@"
        """

    package init() {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            (pipe, shell) = (-1, -1)
            return
        }
        let inner = ends[0]
        defer { close(inner) }
        let variables = ProcessInfo.processInfo.environment
        let started = try? spawn(
            "/bin/sh", ["-c", Self.script], environment: variables, output: "/dev/null", errors: "/dev/null"
        ) { posix_spawn_file_actions_adddup2(&$0, inner, 0) }
        guard let started else {
            close(ends[1])
            (pipe, shell) = (-1, -1)
            return
        }
        (pipe, shell) = (ends[1], started)
    }

    deinit {
        guard pipe >= 0 else { return }
        close(pipe)
        reap(shell)
    }

    package func started(_ pid: Int32) { send("+ \(pid)\n") }

    /// Its number may soon be another program's.
    package func ended(_ pid: Int32) { send("- \(pid)\n") }

    private func send(_ line: String) {
        guard pipe >= 0 else { return }
        let octets = Array(line.utf8)
        _ = Glibc.send(pipe, octets, octets.count, Int32(MSG_NOSIGNAL))
    }
}
