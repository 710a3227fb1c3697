import Glibc
import Platform
import Radio
import Synchronization
import UnixSignals

/// SIGINT, SIGTERM and SIGHUP (the terminal is gone) as a request to end. A SIGHUP that is ignored from the start, as
/// nohup(1) has it, stays so.
package final class Interruption: Sendable {
    private let signal = Atomic<Int32>(0)

    package init() {}

    /// Whether a signal came. Cheap: asked for every record.
    package var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

    /// SIGINT, SIGTERM or SIGHUP; nil while none came.
    package var received: Int32? {
        let signal = signal.load(ordering: .relaxed)
        return signal == 0 ? nil : signal
    }

    /// The name of the signal; nil while none came.
    package var signalName: String? {
        switch signal.load(ordering: .relaxed) {
        case 0: nil
        case SIGINT: "SIGINT"
        case SIGHUP: "SIGHUP"
        default: "SIGTERM"
        }
    }

    private static var isHangupIgnored: Bool {
        var action = sigaction()
        guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Runs `body` while signals are watched.
    ///
    /// - Parameter onSignal: called when the first signal comes. A second one ends the process at once.
    package func watch<Result: Sendable>(
        onSignal: @escaping @Sendable () async -> Void, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let trapped: [UnixSignal] = [.sigint, .sigterm] + (Self.isHangupIgnored ? [] : [.sighup])
        // Trapped before the body begins: a signal that comes early must not end the process as it would untrapped.
        let signals = await UnixSignalsSequence(trapping: trapped)
        let watcher = Task {
            for await received in signals {
                let number = received == .sigint ? SIGINT : received == .sighup ? SIGHUP : SIGTERM
                guard !isRequested else { exit(Program.status(of: number)) }
                signal.store(number, ordering: .relaxed)
                await onSignal()
            }
        }
        defer { watcher.cancel() }
        return try await body()
    }

    /// A job that may block its own thread: runs there, and is asked to end by `isRequested`. When it does not within
    /// half a second (it waits for a pipe), the process ends.
    package func runOnOwnThread<Result: Sendable>(
        _ body: @escaping @Sendable (Interruption) throws -> Result
    ) async throws -> Result {
        try await watch(onSignal: {
            try? await Task.sleep(for: .milliseconds(500))
            exit(self.received.map { Program.status(of: $0) } ?? 1)
        }, {
            let result = try await OwnThread.run { try body(self) }
            if let received { throw CommandFailure.interrupted(by: received) }
            return result
        })
    }
}
