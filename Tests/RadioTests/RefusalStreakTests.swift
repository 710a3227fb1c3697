import Radio
import Testing

@Suite("Refusals that follow one another")
struct RefusalStreakTests {
    @Test("count from the first of them")
    func counts() {
        var streak = RefusalStreak()
        let seconds = [5, 6, 7.5, 12].map { streak.refused(at: $0) }
        #expect(seconds == [0, 1, 2.5, 7])
    }

    @Test("count anew after an attempt that was accepted, and after a time without attempts")
    func anew() {
        var streak = RefusalStreak()
        _ = streak.refused(at: 5)
        streak.accepted()
        let afterSuccess = streak.refused(at: 6)
        #expect(afterSuccess == 0)
        let afterPause = streak.refused(at: 6 + RefusalStreak.gap + 0.01)
        #expect(afterPause == 0)
    }
}
