/// How long to wait before the next attempt: exponential backoff with full jitter, but at least what the server asks
/// for.
package struct RetryPolicy: Sendable {
    /// The upper bound of the first pause.
    package var pause: Duration
    /// The upper bound of every pause.
    package var maximum: Duration
    /// The longest time that a `Retry-After` can ask for.
    package var maximumRetryAfter: Duration

    package init(pause: Duration, maximum: Duration, maximumRetryAfter: Duration) {
        self.pause = pause
        self.maximum = maximum
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// - Parameters:
    ///   - failures: how many attempts have failed so far, at least 1.
    ///   - retryAfter: the time that the server asked for.
    ///   - random: a number in 0..<1.
    package func delay(failures: Int, retryAfter: Duration?, random: Double) -> Duration {
        let bound = min(pause * (1 << min(max(failures - 1, 0), 20)), maximum)
        let jittered = bound * random
        guard let retryAfter else { return jittered }
        return max(jittered, min(retryAfter, maximumRetryAfter))
    }
}
