import Platform


/// How long to wait before the next attempt to connect.
package struct ReconnectPause: Sendable {
    /// The longest pause for a broker that cannot be reached, in seconds.
    package static let longest = 15.0
    /// The same for a broker that answered a moment ago: it is starting, or its network is unstable.
    package static let longestAfterAnswer = 2.0

    private var backoff = Backoff(longest: longest)
    private var answered = Backoff(longest: longestAfterAnswer)

    package init() {}

    /// Seconds to wait after a connection has ended.
    ///
    /// - Parameter wasAnswered: the broker had accepted the connection.
    package mutating func next(wasAnswered: Bool) -> Double {
        guard wasAnswered else { return backoff.next() }
        backoff = Backoff(longest: Self.longest)
        return answered.next()
    }

    /// The connection has lasted.
    package mutating func settle() {
        self = ReconnectPause()
    }
}
