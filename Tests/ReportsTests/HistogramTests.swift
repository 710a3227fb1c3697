import Beacon
import Reports
import TestSupport
import Testing

@Suite struct HistogramTests {
    private func decoded(_ bytes: [UInt8]) -> Histogram? { Histogram(encoded: bytes.span.bytes) }

    @Test("quantiles are those of the sorted numbers", arguments: 1...30)
    func quantilesAreThose(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let spread = Int.random(in: 0...60, using: &random)
        let numbers = (0..<Int.random(in: 1...2000, using: &random)).map { _ in
            Int.random(in: -127...(-127 + spread), using: &random)
        }
        var histogram = Histogram()
        for number in numbers { histogram.add(number) }
        let sorted = numbers.sorted()
        for share in [0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1] {
            let rank = max(1, Int((share * Double(sorted.count)).rounded(.up)))
            #expect(histogram.quantile(share) == sorted[rank - 1])
        }
        #expect(histogram.total == numbers.count)
    }

    @Test("merged, two tell what one of both tells", arguments: 1...30)
    func mergedTwoTell(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (left, right, both) = (Histogram(), Histogram(), Histogram())
        for _ in 0..<Int.random(in: 0...200, using: &random) {
            let number = Int.random(in: -100...100, using: &random) / Int.random(in: 1...9, using: &random)
            let count = UInt32.random(in: 1...3, using: &random)
            if Bool.random(using: &random) { left.add(number, count: count) } else { right.add(number, count: count) }
            both.add(number, count: count)
        }
        left.merge(right)
        #expect(left == both)
    }

    @Test("what was encoded comes back", arguments: 1...30)
    func whatWasEncoded(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var histogram = Histogram()
        for _ in 0..<Int.random(in: 0...100, using: &random) {
            histogram.add(
                Int.random(in: -1100...1100, using: &random), count: UInt32.random(in: 1 ... .max, using: &random))
        }
        #expect(decoded(histogram.encoded) == histogram)
    }

    @Test("a minute of one beacon takes a few dozen octets")
    func minuteOfOneBeacon() {
        var random = SeededGenerator(seed: 1)
        var histogram = Histogram()
        for _ in 0..<600 {
            histogram.add(-70 + (0..<4).reduce(0) { sum, _ in sum + Int.random(in: -4...4, using: &random) })
        }
        #expect(histogram.encoded.count <= 40)
    }

    /// Random octets, and good ones with octets changed, left out and put in.
    @Test("anything can be decoded without harm, and what is taken is what would be written", arguments: 1...40)
    func anythingCanBeDecoded(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<2000 {
            var bytes = random.octets(Int.random(in: 0...40, using: &random))
            if Bool.random(using: &random) {
                var histogram = Histogram()
                for _ in 0..<20 { histogram.add(Int.random(in: -80 ... -40, using: &random)) }
                bytes = histogram.encoded
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            guard let histogram = decoded(bytes) else { continue }
            #expect(histogram.counts.count < 4200)
            #expect(decoded(histogram.encoded) == histogram)
            #expect(histogram.isEmpty || histogram.quantile(0.5) != nil)
            accepted += 1
        }
        #expect(accepted > 0)
    }

    @Test("a distance is told to 2.2 percent", arguments: Array(stride(from: 0.04, through: 900, by: 7.37)))
    func distanceIsTold(metres: Double) {
        let told = DistanceScale.metres(of: DistanceScale.bin(of: metres))
        #expect(abs(told / metres - 1) < 0.0222)
    }

    @Test("no distance is outside of the scale", arguments: [0.0, -1, 1e-300, 1e300, .infinity, .nan])
    func noDistance(metres: Double) {
        #expect(DistanceScale.bins.contains(DistanceScale.bin(of: metres)))
    }
}
