import Platform

/// How long to wait before the next attempt to connect.
package struct ReconnectPause: Sendable {
    /// The longest pause for a broker that cannot be reached, in seconds.
    package static let longest = 15.0
    /// The same for a broker that answered a moment ago: it is starting, or its network is unstable.
    static let longestAfterAnswer = 2.0
    /// Seconds; a connection that lasts this long counts as good.
    package static let stableAfter = 5.0

    private var backoff = Backoff(longest: longest)
    private var answered = Backoff(longest: longestAfterAnswer, stableAfter: stableAfter)

    package init() {}

    /// Seconds to wait after a connection has ended.
    ///
    /// - Parameter lasted: seconds since the broker had accepted the connection; nil if it had not.
    package mutating func next(answeredFor lasted: Double?) -> Double {
        guard let lasted else { return backoff.next() }
        backoff.reset()
        return answered.next(after: lasted)
    }
}
