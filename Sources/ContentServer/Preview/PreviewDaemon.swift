import Glibc
import Platform
import Synchronization

/// A `beacond` that shows a preview, run on a thread of its own until it is stopped.
final class PreviewDaemon: Sendable {
    private struct State {
        var isOver = false
        var lines: [UInt8] = []
    }

    private let state = Mutex(State())
    /// Readable when the daemon has to end.
    private let stopReading: Int32
    private let stopWriting: Int32

    /// The longest that a preview runs, whoever looks at it.
    static let longest = Duration.seconds(4 * 3600)

    /// - Parameters:
    ///   - program: the path of `beacond`.
    ///   - ended: called when it has ended, for whatever reason.
    init(program: String, configuration: String, ended: @escaping @Sendable () -> Void) throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard ownPipe(&ends) else { throw SystemFailure() }
        (stopReading, stopWriting) = (ends[0], ends[1])
        // The daemon ends with this process, even when that is killed. The thread lives as long as the daemon, because
        // the signal comes when the thread ends (prctl(2), PR_SET_PDEATHSIG).
        let guardian: String? = ["/usr/bin/setpriv", "/bin/setpriv"].first { access($0, X_OK) == 0 }
        let command: [String] =
            (guardian.map { [$0, "--pdeathsig", "TERM"] } ?? []) + [program, "--config", configuration]
        var process = ChildProcess(
            command: command, variables: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"], descriptors: [:],
            timeout: Self.longest)
        process.stop = stopReading
        process.farewell = .seconds(2)
        let running = process
        do {
            try OwnThread.start { [self] in
                _ = try? running.run { bytes in note(bytes) }
                state.withLock { $0.isOver = true }
                ended()
            }
        } catch {
            throw SystemFailure(EAGAIN)
        }
    }

    deinit {
        close(stopReading)
        close(stopWriting)
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// The last lines that it has printed.
    var lastLines: String { state.withLock { String(decoding: $0.lines.suffix(2000), as: UTF8.self) } }

    func stop() {
        var one: UInt8 = 1
        _ = write(stopWriting, &one, 1)
    }

    private func note(_ bytes: [UInt8]) {
        state.withLock { state in
            state.lines += bytes
            if state.lines.count > 16_384 { state.lines.removeFirst(state.lines.count - 8192) }
        }
    }
}
