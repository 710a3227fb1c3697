import Beacon
import Testing

@Suite("Sums of numbers from outside")
struct ClampedTests {
    @Test(
        "stay within what a number can be",
        arguments: [
            (3, 4, 7), (3, -4, -1), (.max - 1, 1, .max), (.max, 1, .max), (.max, .max, .max), (.min + 1, -1, .min),
            (.min, -1, .min), (.min, .min, .min), (.max, .min, -1),
        ] as [(Int64, Int64, Int64)])
    func sums(_ first: Int64, _ second: Int64, sum: Int64) {
        #expect(first.addingClamped(second) == sum)
        #expect(second.addingClamped(first) == sum)
    }

    @Test(
        "and so do differences",
        arguments: [
            (3, 4, -1), (3, -4, 7), (.max, 1, .max - 1), (.max, -1, .max), (0, .min, .max), (.min, 1, .min),
            (.min, -1, .min + 1), (.min, .max, .min), (-1, .min, .max), (-2, .max, .min), (.min, .min, 0),
        ] as [(Int64, Int64, Int64)])
    func differences(_ first: Int64, _ second: Int64, difference: Int64) {
        #expect(first.subtractingClamped(second) == difference)
    }
}
