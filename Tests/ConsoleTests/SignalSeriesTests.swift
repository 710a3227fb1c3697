import Console
import Testing

@Suite("Signals that ask a program to end")
struct SignalSeriesTests {
    private let start = ContinuousClock.now

    @Test("the first one asks, the same one again means nothing, and a later one insists")
    func meanings() {
        var series = SignalSeries()
        #expect(series.note(at: start) == .request)
        #expect(series.note(at: start) == .repetition)
        #expect(series.note(at: start + .milliseconds(1)) == .repetition)
        #expect(series.note(at: start + SignalSeries.repetition) == .insistence)
    }

    @Test("a repetition does not put off the time from which one insists")
    func manyRepetitions() {
        var series = SignalSeries()
        for step in 0..<10 {
            #expect(series.note(at: start + SignalSeries.repetition / 10 * step) != .insistence)
        }
        #expect(series.note(at: start + SignalSeries.repetition) == .insistence)
    }
}
