import Radio
import Testing

@Suite("The pace of reading")
struct ReadingPaceTests {
    /// The pauses after readings of so many octets, each as soon as the pause before it has ended.
    private func pauses(_ pace: inout ReadingPace, octets: [Int], from start: Double = 0) -> [Double] {
        var now = start
        return octets.map { octets in
            let pause = pace.read(octets, at: now)
            now += max(pause, 0.001)
            pace.ready(at: now)
            return pause
        }
    }

    @Test("pauses for 50 ms after each reading of a moderate stream")
    func moderate() {
        var pace = ReadingPace(now: 0)
        #expect(pauses(&pace, octets: [45, 2250, 2250], from: 10) == [0.05, 0.05, 0.05])
    }

    @Test("pauses so long for a fast stream that a reading finds what was wanted")
    func fast() {
        var pace = ReadingPace(now: 0)
        _ = pace.read(45, at: 1)
        // 100 octets a millisecond.
        let pause = pace.read(5000, at: 1.05)
        #expect(abs(pause - ReadingPace.wanted / 100_000) < 1e-9)
    }

    @Test("does not pause in a flood")
    func flood() {
        var pace = ReadingPace(now: 0)
        _ = pace.read(45, at: 1)
        #expect(pace.read(100_000, at: 1.05) == 0)
    }

    @Test("reads at once from a command until its answer")
    func command() {
        var pace = ReadingPace(now: 0)
        pace.sent()
        #expect(pace.read(45, at: 1) == 0)
        pace.answered()
        #expect(pace.read(7, at: 1.001) == 0)
        #expect(pace.read(45, at: 1.002) > 0)
    }

    @Test("goes on reading at once when an answer is followed by another command")
    func nextCommand() {
        var pace = ReadingPace(now: 0)
        pace.sent()
        pace.answered()
        pace.sent()
        #expect(pace.read(7, at: 1) == 0)
        #expect(pace.read(45, at: 1.001) == 0)
    }

    @Test("says since when packets may have waited")
    func age() {
        var pace = ReadingPace(now: 0)
        _ = pace.read(45, at: 1)
        pace.ready(at: 1.05)
        #expect(abs(pace.age(at: 1.0502) - 0.0502) < 1e-9)
        // It came after the pause.
        #expect(pace.age(at: 1.06) == 0)
    }
}
