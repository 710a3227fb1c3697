/// Growing pauses before another attempt: 1, 2, 4 … seconds. After an attempt that lasted long enough, the shortest
/// pause is used again.
package struct Backoff: Sendable {
    package static let shortest = 1.0

    private let longest: Double
    private let stableAfter: Double
    private var pause = shortest / 2

    /// - Parameter stableAfter: seconds; after an attempt that lasted longer, the next pause is the shortest.
    package init(longest: Double, stableAfter: Double = .infinity) {
        self.longest = longest
        self.stableAfter = stableAfter
    }

    /// Seconds to wait after an attempt that lasted this many seconds.
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
