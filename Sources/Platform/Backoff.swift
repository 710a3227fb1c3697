/// Exponential pauses before another attempt: 1, 2, 4 … seconds, and the shortest again after an attempt that went
/// well for a while.
package struct Backoff: Sendable {
    package static let shortest = 1.0

    private let longest: Double
    private let stableAfter: Double
    private var pause = shortest / 2

    /// - Parameter stableAfter: seconds; what went well for longer was no part of the problem before.
    package init(longest: Double, stableAfter: Double = .infinity) {
        self.longest = longest
        self.stableAfter = stableAfter
    }

    /// Seconds to wait after an attempt that lasted so long.
    package mutating func next(after lasted: Double = 0) -> Double {
        if lasted > stableAfter { reset() }
        pause = min(longest, pause * 2)
        return pause
    }

    /// The next pause is the shortest.
    package mutating func reset() {
        pause = Self.shortest / 2
    }
}
