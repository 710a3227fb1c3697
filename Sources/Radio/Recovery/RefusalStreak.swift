/// How long a controller has refused one attempt after the other.
///
/// Pure. Times are seconds on any monotonic clock.
package struct RefusalStreak: Sendable {
    /// Seconds after which a refusal begins a new streak: nothing had to be restored meanwhile. Attempts are at most
    /// five seconds apart.
    package static let gap = 10.0

    private var first = 0.0
    private var last = -Double.infinity

    package init() {}

    /// The controller refused an attempt.
    ///
    /// - Returns: the seconds since the first refusal of the streak.
    package mutating func refused(at now: Double) -> Double {
        if now - last > Self.gap { first = now }
        last = now
        return now - first
    }

    /// The controller accepted an attempt, which ends the streak.
    package mutating func accepted() { last = -.infinity }
}
