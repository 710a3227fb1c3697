/// Seeded random numbers that cost little: xorshift64* (Vigna, ACM TOMS 42:4, 2016).
package struct Chance: Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<8 { _ = next() }
    }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    /// From 0 up to 1.
    mutating func uniform() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
    }

    /// About normal: the sum of four uniform numbers of 16 bits.
    mutating func normal(_ spread: Double) -> Double {
        let bits = next()
        let sum = Double(bits & 0xFFFF) + Double(bits >> 16 & 0xFFFF) + Double(bits >> 32 & 0xFFFF) + Double(bits >> 48)
        return (sum / 65_536 - 2) * 1.732 * spread
    }

    mutating func happens(_ probability: Double) -> Bool { uniform() < probability }

    /// Minutes with a long tail: half of them are shorter than `median`.
    mutating func minutes(median: Double, atMost most: Double) -> Int {
        var factor = 1.0
        var steps = normal(2.2)
        while steps > 0 {
            factor *= 1.6
            steps -= 0.5
        }
        while steps < -0.5 {
            factor /= 1.6
            steps += 0.5
        }
        return Int(max(1, min(most, median * factor)))
    }
}
