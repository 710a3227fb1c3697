package import Beacon

/// The clocks of the sync client: one that measures and sleeps, one that tells the date.
package struct ContentTime: Sendable {
    /// How much time has passed since this value was made. Never goes back.
    package var elapsed: @Sendable () -> Duration
    /// Sleeps, and throws `CancellationError` when the task is cancelled meanwhile.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// The date.
    package var now: @Sendable () -> Timestamp

    package init<C: Clock<Duration>>(clock: C, now: @escaping @Sendable () -> Timestamp) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        self.now = now
    }
}
