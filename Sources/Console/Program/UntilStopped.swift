import Glibc
import Platform

/// Runs a task until it ends, its time limit is reached, or a signal comes.
package enum UntilStopped {
    /// Cancels the task at the time limit or at the first signal, and waits for its end.
    ///
    /// - Parameters:
    ///   - duration: seconds; nil for no limit.
    ///   - isFinite: the task ends by itself, so a signal before that is a failure (exit status 130 or 143).
    ///   - hangupEnds: false if the program does something else at SIGHUP.
    ///   - grace: how long after a signal to wait for the task before the process ends; nil to wait without a limit.
    ///   - onSignal: called before the task is cancelled.
    /// - Returns: the signal that came, if any. Cancellation is the normal end of the task, not an error.
    @discardableResult
    package static func run(
        for duration: Double?, isFinite: Bool = false, hangupEnds: Bool = true, grace: Duration? = nil,
        onSignal: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Interruption {
        // The body must not start before signals are watched.
        let (start, starter) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in start {}
            try await body()
        }
        let deadline = Deadline(after: duration.map { .seconds($0) }) { task.cancel() }
        defer { deadline.cancel() }
        let interruption = Interruption(hangupEnds: hangupEnds)
        do {
            try await interruption.watch(
                onSignal: {
                    onSignal()
                    task.cancel()
                    if let grace { interruption.endProcess(after: grace) }
                },
                {
                    starter.finish()
                    try await task.value
                })
        } catch is CancellationError {
            // This is the normal end.
        }
        if isFinite { try interruption.check() }
        return interruption
    }
}

extension Interruption {
    /// Ends the process after this time, unless it has ended before. For work that may never get an answer.
    fileprivate func endProcess(after grace: Duration) {
        Task {
            try? await Task.sleep(for: grace)
            endProcess()
        }
    }

    /// Ends the process with the exit status of the signal that came.
    package func endProcess() -> Never {
        exit(received.map { Program.status(of: $0) } ?? 1)
    }

    /// - Throws: the failure of a finite job that a signal ended before its end.
    package func check() throws(CommandFailure) {
        if let received { throw .interrupted(by: received) }
    }
}
