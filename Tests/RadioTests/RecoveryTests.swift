import HCI
import Radio
import Testing

@Suite("Silence")
struct SilenceWatchTests {
    private func actions(_ watch: inout SilenceWatch, _ times: [Double]) -> [SilenceWatch.Action] {
        times.map { watch.check(at: $0) }
    }

    @Test("is nothing for two seconds, then the controller is asked")
    func asks() {
        var watch = SilenceWatch(now: 0)
        #expect(actions(&watch, [1, 1.9, 2, 3]) == [.none, .none, .ask, .ask])
        watch.heardAnswer(at: 3)
        #expect(actions(&watch, [4, 5]) == [.none, .ask])
        #expect(watch.hearing == .ok)
    }

    @Test("of a controller that answers is believed for 90 seconds, then remedies follow one another")
    func stages() {
        var watch = SilenceWatch(now: 0)
        for second in 1..<90 { watch.heardAnswer(at: Double(second)) }
        watch.heardAnswer(at: 100)
        #expect(actions(&watch, [89.9, 90, 91, 95, 96, 100]) == [.none, .reassert, .none, .reset, .none, .giveUp])
        #expect(watch.hearing == .blind)
    }

    @Test("ends with a report, and all is well again")
    func ends() {
        var watch = SilenceWatch(now: 0)
        #expect(watch.check(at: 90) == .reassert)
        watch.heardReport(at: 91)
        #expect(watch.hearing == .ok)
        #expect(watch.check(at: 92) == .none)
        #expect(watch.check(at: 181) == .reassert)
    }

    @Test("is suspicious sooner where something should be heard")
    func reference() {
        var settings = SilenceWatch.Settings()
        settings.expiry = 10
        var watch = SilenceWatch(settings: settings, now: 0)
        #expect(watch.check(at: 10) == .reassert)
    }
}
