import Glibc
import Platform
import Radio
import Synchronization
import UnixSignals

/// Takes SIGINT, SIGTERM and SIGHUP (the terminal was closed) as a request to end. A SIGHUP that was ignored from the
/// start, as under nohup(1), stays ignored.
package final class Interruption: Sendable {
    private let signal = Atomic<Int32>(0)

    private let hangupEnds: Bool

    /// - Parameter hangupEnds: false if the program does something else at SIGHUP.
    package init(hangupEnds: Bool = true) {
        self.hangupEnds = hangupEnds
    }

    /// Whether a signal came. This is cheap enough to be called for every record.
    package var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

    /// The signal that came; nil without one.
    package var received: Int32? {
        let signal = signal.load(ordering: .relaxed)
        return signal == 0 ? nil : signal
    }

    /// The name of the signal; nil without one.
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

    /// Runs `body` and watches for signals.
    ///
    /// - Parameter onSignal: called at the first signal. A second signal ends the process at once, unless it is the
    ///   first one again (`SignalSeries`).
    package func watch<Result: Sendable>(
        onSignal: @escaping @Sendable () async -> Void, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let trapped: [UnixSignal] = [.sigint, .sigterm] + (hangupEnds && !Self.isHangupIgnored ? [.sighup] : [])
        // The handlers are installed before the body starts, so that an early signal does not end the process.
        let signals = await UnixSignalsSequence(trapping: trapped)
        let watcher = Task {
            var series = SignalSeries()
            for await received in signals {
                let number = received == .sigint ? SIGINT : received == .sighup ? SIGHUP : SIGTERM
                switch series.note(at: .now) {
                case .request:
                    signal.store(number, ordering: .relaxed)
                    await onSignal()
                case .repetition: break
                case .insistence: exit(Program.status(of: number))
                }
            }
        }
        defer { watcher.cancel() }
        return try await body()
    }

    /// Runs a job on a thread of its own, where it may block. The job must end when `isRequested`. If it has not ended
    /// after half a second (for example because it reads a pipe), the process ends.
    package func runOnOwnThread<Result: Sendable>(
        _ body: @escaping @Sendable (Interruption) throws -> Result
    ) async throws -> Result {
        try await watch(
            onSignal: {
                // Cancelled: the job has ended in time.
                guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
                exit(self.received.map { Program.status(of: $0) } ?? 1)
            },
            {
                let result = try await OwnThread.run { try body(self) }
                try check()
                return result
            })
    }
}
