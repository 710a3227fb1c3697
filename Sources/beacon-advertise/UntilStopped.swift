import Console

/// What every way of advertising shares: it goes on until a signal comes or time is up, and then ends in order.
enum UntilStopped {
    static func run(_ limit: Double?, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let job = Task { try await body() }
        let alarm = limit.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                job.cancel()
            }
        }
        defer { alarm?.cancel() }
        try await Interruption().watch(
            onSignal: {
                ServiceManager.stopping()
                job.cancel()
            }, { try await job.value })
    }
}
