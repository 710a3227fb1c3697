/// The continuous clock, with pauses that a separate thread keeps. Each pause costs one wake-up at its end, and none
/// if it was cancelled. A pause of `ContinuousClock` wakes three threads, even after it was cancelled.
package struct ThreadClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    private let thread: ThreadExecutor

    package init(_ thread: ThreadExecutor) {
        self.thread = thread
    }

    package var now: Instant { .now }
    package var minimumResolution: Duration { ContinuousClock().minimumResolution }

    /// - Throws: `CancellationError`.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        while case let rest = now.duration(to: deadline), rest > .zero {
            try Task.checkCancellation()
            await thread.sleep(for: rest)
        }
        try Task.checkCancellation()
    }
}
