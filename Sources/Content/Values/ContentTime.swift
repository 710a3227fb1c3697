package import Beacon

/// The clocks of the sync client: one measures and sleeps, the other gives the date.
package struct ContentTime: Sendable {
    /// The time since this value was created. Never goes back.
    package var elapsed: @Sendable () -> Duration
    /// Sleeps. Throws `CancellationError` if the task is cancelled meanwhile.
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
