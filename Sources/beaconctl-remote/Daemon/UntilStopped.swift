import Console

/// Runs a task until it ends, its time limit is reached, or SIGINT or SIGTERM comes.
enum UntilStopped {
    /// - Parameters:
    ///   - duration: seconds; nil for no limit.
    ///   - isFinite: a signal interrupts it (exit code 130 or 143) instead of ending it normally (0).
    static func run(
        for duration: Double?, isFinite: Bool, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let work = Task { try await body() }
        let limit = duration.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                work.cancel()
            }
        }
        defer { limit?.cancel() }
        let interruption = Interruption()
        do {
            try await interruption.watch(onSignal: { work.cancel() }, { try await work.value })
        } catch is CancellationError {
            // This is the normal end.
        }
        if isFinite || duration != nil, let signal = interruption.received {
            throw CommandFailure.interrupted(by: signal)
        }
    }
}
