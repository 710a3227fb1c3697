import Platform
import Testing

@Suite("The time-out of poll")
struct PollTimeoutTests {
    @Test("ends after the instant, and not much later")
    func after() {
        let milliseconds = PollTimeout.milliseconds(until: ContinuousClock.now + .seconds(3600))
        // As much as a busy machine may take between the two looks at the clock.
        #expect((3_480_000...3_600_001).contains(milliseconds))
        #expect((0...1).contains(PollTimeout.milliseconds(until: ContinuousClock.now + .microseconds(1))))
    }

    @Test("is none where nothing is waited for, and over where the instant has passed")
    func never() {
        #expect(PollTimeout.milliseconds(until: nil) == -1)
        #expect(PollTimeout.milliseconds(until: ContinuousClock.now - .seconds(1)) == 0)
    }

    @Test("is never negative, however far the instant is", arguments: [25, 50, 36_500])
    func far(_ days: Int) {
        #expect(PollTimeout.milliseconds(until: ContinuousClock.now + .seconds(days * 86_400)) > 0)
    }
}
