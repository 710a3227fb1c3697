import Console

/// What all ways of advertising share: they run until a signal or the time limit, and then end in order.
enum UntilStopped {
    /// - Returns: the name of the signal that ended it; nil where none did.
    @discardableResult
    static func run(_ limit: Double?, _ body: @escaping @Sendable () async throws -> Void) async throws -> String? {
        // The body must not start before signals are watched.
        let (start, starter) = AsyncStream<Void>.makeStream()
        let job = Task {
            for await _ in start {}
            try await body()
        }
        let alarm = limit.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                job.cancel()
            }
        }
        defer { alarm?.cancel() }
        let interruption = Interruption()
        try await interruption.watch(
            onSignal: {
                ServiceManager.stopping()
                job.cancel()
            },
            {
                starter.finish()
                try await job.value
            })
        return interruption.signalName
    }
}
