import Console

/// Runs something until it ends, its time is up, or SIGINT or SIGTERM comes.
enum UntilStopped {
    /// - Parameters:
    ///   - duration: seconds; nil for no limit.
    ///   - isFinite: a signal cuts it short (130, 143) rather than being its natural end (0).
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
            // That is how it ends.
        }
        if isFinite || duration != nil, let signal = interruption.received {
            throw CommandFailure.interrupted(by: signal)
        }
    }
}
