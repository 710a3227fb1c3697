import Platform

/// Decoding, some at a time; the others wait, up to a limit.
final class JobQueue: Sendable {
    private let places: AsyncSemaphore
    private let waiting: Int

    init(parallel: Int, waiting: Int) {
        places = AsyncSemaphore(value: max(1, parallel))
        self.waiting = waiting
    }

    /// Runs `body` on a thread of its own as soon as there is a place.
    ///
    /// - Throws: `.busy` if too many wait.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(MediaError) -> Value
    ) async throws(MediaError) -> Value {
        guard places.waiters < waiting else {
            throw MediaError(
                .busy, "too many pictures are waiting to be decoded", remedy: "try again in a minute")
        }
        await places.wait()
        defer { places.signal() }
        return try await onOwnThread(body)
    }
}
