import Glibc

/// A small random number generator. Its sequence is the same on every machine and with every toolchain.
///
/// SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
package struct RandomSource: Hashable, Sendable {
    private var state: UInt64
    /// The second value of the last pair from the polar method.
    private var spareNormal: Double?

    package init(seed: UInt64) {
        state = seed
    }

    /// A separate stream for each pair of numbers, so that values drawn from one do not shift those of another.
    package init(seed: UInt64, _ first: Int, _ second: Int = 0) {
        var source = RandomSource(seed: seed)
        source.state = source.next() ^ UInt64(truncatingIfNeeded: first)
        source.state = source.next() ^ UInt64(truncatingIfNeeded: second)
        state = source.next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A whole number from 0 to `limit` inclusive. A negative limit counts as zero.
    package mutating func integer(upTo limit: Int64) -> Int64 {
        let count = UInt64(max(0, limit)) + 1
        // The high half of the product is the number. Its bias is below 2^-40 for every limit in use here.
        return Int64(clamping: next().multipliedFullWidth(by: count).high)
    }

    /// From 0 up to, but not including, 1.
    package mutating func uniform() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Normally distributed with mean 0 and standard deviation 1. G. Marsaglia's polar method.
    package mutating func normal() -> Double {
        if let spare = spareNormal {
            spareNormal = nil
            return spare
        }
        while true {
            let x = 2 * uniform() - 1
            let y = 2 * uniform() - 1
            let square = x * x + y * y
            guard square > 0, square < 1 else { continue }
            let factor = sqrt(-2 * log(square) / square)
            spareNormal = y * factor
            return x * factor
        }
    }
}
