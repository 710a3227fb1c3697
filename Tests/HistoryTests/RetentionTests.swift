import Beacon
import History
import Testing

@Suite struct RetentionTests {
    private static let day = 86_400.0
    private static let start = 1_800_000_000.0

    private func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: Self.start + seconds) }

    private func retention(days: Int, newest seconds: Double?) -> RetentionClock {
        let newest = seconds.map { time($0) }
        return RetentionClock(days: days, newest: newest, settled: newest)
    }

    @Test("what is older than the days is too old")
    func whatIsOlder() {
        var clock = retention(days: 3, newest: -60)
        #expect(clock.cutoff(at: time(0)) == time(-3 * Self.day))
        #expect(clock.cutoff(at: time(60)) == time(60 - 3 * Self.day))
    }

    @Test("a clock that jumps far ahead costs nothing before it is believed")
    func clockThatJumps() {
        var clock = retention(days: 3, newest: -60)
        let wrong = 400 * Self.day
        #expect(clock.cutoff(at: time(wrong)) == nil)
        #expect(clock.cutoff(at: time(wrong + 1800)) == nil)
        // It is right again before: nothing was lost.
        #expect(clock.cutoff(at: time(2000)) == time(2000 - 3 * Self.day))
    }

    @Test("a clock that is far ahead is not believed sooner because it is set back a little")
    func clockThatIsSet() {
        var clock = retention(days: 3, newest: -60)
        let wrong = 400 * Self.day
        for seconds in [0.0, -1, 60] {
            let cutoff = clock.cutoff(at: time(wrong + seconds))
            #expect(cutoff == nil)
        }
    }

    @Test("a clock that is far ahead is not believed sooner because of what was written by it before a restart")
    func restart() {
        let wrong = 400 * Self.day
        var clock = RetentionClock(days: 3, newest: time(wrong), settled: time(-60))
        let doubted = clock.cutoff(at: time(wrong + 60))
        #expect(doubted == nil)
        let right = clock.cutoff(at: time(60))
        #expect(right == time(60 - 3 * Self.day))
    }

    @Test("a machine that was off for long is believed after an hour")
    func machineThatWasOff() {
        var clock = retention(days: 3, newest: -30 * Self.day)
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
        var clock = retention(days: 1, newest: nil)
        #expect(clock.cutoff(at: time(0)) == time(-Self.day))
        #expect(clock.cutoff(at: time(-5000)) == time(-5000 - Self.day))
    }

    @Test("what lies more than a day ahead is too late")
    func whatIsLater() {
        var clock = retention(days: 3, newest: -60)
        for now in [0.0, -5000] {
            let horizon = clock.horizon(at: time(now)) { nil }
            #expect(horizon == time(now + Self.day))
        }
    }

    @Test(
        "a clock that is behind the records makes nothing too late, unless it is synchronised for an hour",
        arguments: [nil, false, true])
    func clockThatIsBehind(isSynchronised: Bool?) {
        var clock = retention(days: 30, newest: 0)
        for minute in 0...120 {
            let now = -40 * Self.day + Double(minute) * 60
            let horizon = clock.horizon(at: time(now)) { isSynchronised }
            let isBelieved = minute >= 60 && isSynchronised == true
            #expect(horizon == (isBelieved ? time(now + Self.day) : nil), "minute \(minute)")
        }
    }

    @Test("a clock that is set back in small steps makes nothing too late")
    func smallSteps() {
        var clock = retention(days: 30, newest: 0)
        let first = clock.horizon(at: time(-0.5 * Self.day)) { true }
        #expect(first == time(0.5 * Self.day))
        let second = clock.horizon(at: time(-1.25 * Self.day)) { true }
        #expect(second == nil)
    }

    @Test("one look after a long pause does not prove a clock")
    func pause() {
        var clock = retention(days: 30, newest: 0)
        for hours in [0.0, 2, 72] {
            let horizon = clock.horizon(at: time(-40 * Self.day + hours * 3600)) { true }
            #expect(horizon == nil, "after \(hours) h")
        }
    }
}
