/// The time-out of poll(2).
package enum PollTimeout {
    /// A day, in milliseconds. A longer wait is simply repeated.
    private static let longest = 86_400_000.0

    /// Milliseconds until an instant, rounded up, so that it has passed when poll returns.
    ///
    /// - Returns: 0 if it has passed; -1, which is no time-out, for nil.
    package static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
        guard let end else { return -1 }
        let rest = ContinuousClock.now.duration(to: end)
        guard rest > .zero else { return 0 }
        return Int32(min(rest / .milliseconds(1), longest)) + 1
    }
}
