/// The three largest values of the last weeks. They fade, so that older values count less.
///
/// A single large value may have been a fault, so the third one shows what is usual.
struct Extremes: Hashable, Sendable {
    var first = 0.0
    var second = 0.0
    var third = 0.0

    /// The share that remains after a minute; half of it after five weeks.
    static let fading = 0.999_986

    mutating func fade() {
        first *= Self.fading
        second *= Self.fading
        third *= Self.fading
    }

    mutating func add(_ value: Double) {
        if value > first {
            (first, second, third) = (value, first, second)
        } else if value > second {
            (second, third) = (value, second)
        } else if value > third {
            third = value
        }
    }

    var isSound: Bool { [first, second, third].allSatisfy { (0...1e9).contains($0) } }
}
