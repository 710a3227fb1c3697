import Beacon
import Ranging
import Testing

@Suite("Mathematics")
struct MathematicsTests {
    @Test("seconds between any two instants keep their sign, also those that do not fit into a difference")
    func elapsed() {
        let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
        // 2^64 µs.
        #expect(abs(last.elapsed(since: first) - 18_446_744_073_709.55) < 1)
        #expect(abs(first.elapsed(since: last) + 18_446_744_073_709.55) < 1)
        #expect(Timestamp(seconds: 5).elapsed(since: Timestamp(seconds: 7.5)) == -2.5)
        #expect(last.elapsed(since: Timestamp(microseconds: 0)) > 9e12)
    }

    @Test("a value inside of a range stays, one outside is brought to its end, and one that is none to the lower")
    func clamped() {
        let values: [Double] = [-3, -2, 0, 5, 5.1, .nan, .infinity, -.infinity]
        #expect(values.map { $0.clamped(to: -2...5) } == [-2, -2, 0, 5, 5, -2, 5, -2])
    }

    @Test("powers of ten and decimal logarithms undo each other", arguments: [-3.0, -0.5, 0, 1, 2.25])
    func powers(exponent: Double) {
        #expect(abs(decimalLogarithm(powerOfTen(exponent)) - exponent) < 1e-12)
    }

    @Test("80 % of a normal distribution lie within z90 to either side")
    func normal() {
        #expect(normalProbability(below: 0) == 0.5)
        #expect(abs(normalProbability(below: z90) - 0.9) < 1e-9 && abs(normalProbability(below: -z90) - 0.1) < 1e-9)
    }
}
