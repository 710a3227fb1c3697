import Beacon
import History
import Testing

@Suite struct RetentionTests {
    private static let day = 86_400.0
    private static let start = 1_800_000_000.0

    private func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: Self.start + seconds) }

    @Test("what is older than the days is too old")
    func whatIsOlder() {
        var clock = RetentionClock(days: 3, newest: time(-60))
        #expect(clock.cutoff(at: time(0)) == time(-3 * Self.day))
        #expect(clock.cutoff(at: time(60)) == time(60 - 3 * Self.day))
    }

    @Test("a clock that jumps far ahead costs nothing before it is believed")
    func clockThatJumps() {
        var clock = RetentionClock(days: 3, newest: time(-60))
        let wrong = 400 * Self.day
        #expect(clock.cutoff(at: time(wrong)) == nil)
        #expect(clock.cutoff(at: time(wrong + 1800)) == nil)
        // It is right again before: nothing was lost.
        #expect(clock.cutoff(at: time(2000)) == time(2000 - 3 * Self.day))
    }

    @Test("a machine that was off for long is believed after an hour")
    func machineThatWasOff() {
        var clock = RetentionClock(days: 3, newest: time(-30 * Self.day))
        #expect(clock.cutoff(at: time(0)) == nil)
        var minute = 0.0
        while minute < 3600 {
            minute += 60
            if minute < 3600 { #expect(clock.cutoff(at: time(minute)) == nil) }
        }
        #expect(clock.cutoff(at: time(3660)) == time(3660 - 3 * Self.day))
    }

    @Test("a clock that runs back makes nothing older")
    func clockThatRuns() {
        var clock = RetentionClock(days: 1, newest: nil)
        #expect(clock.cutoff(at: time(0)) == time(-Self.day))
        #expect(clock.cutoff(at: time(-5000)) == time(-5000 - Self.day))
    }
}
