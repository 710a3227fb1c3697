import Platform

/// Runs some decoding jobs at a time. Others wait, up to a limit.
final class JobQueue: Sendable {
    private let places: AsyncSemaphore
    private let waiting: Int

    init(parallel: Int, waiting: Int) {
        places = AsyncSemaphore(value: max(1, parallel))
        self.waiting = waiting
    }

    /// Runs `body` on a thread of its own as soon as fewer than `parallel` jobs run.
    ///
    /// - Throws: `.busy` if too many jobs are waiting, or if the task was cancelled while it waited.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(MediaError) -> Value
    ) async throws(MediaError) -> Value {
        guard places.waiters < waiting else {
            throw MediaError(
                .busy, "too many pictures are waiting to be decoded", remedy: "try again in a minute")
        }
        guard await places.waitUnlessCancelled() else {
            throw MediaError(.busy, "nobody waits for the picture any more", remedy: "ask for it again")
        }
        defer { places.signal() }
        return try await onOwnThread(body)
    }
}
