/// Exponential pauses: 1, 2, 4 … seconds.
package struct Backoff: Sendable {
    package static let shortest = 1.0

    private let longest: Double
    private var pause = shortest / 2

    package init(longest: Double) {
        self.longest = longest
    }

    package mutating func next() -> Double {
        pause = min(longest, pause * 2)
        return pause
    }
}
