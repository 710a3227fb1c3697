import Beacon
import HCI
import Radio
import Testing

@Suite("Silence")
struct SilenceWatchTests {
    private func actions(_ watch: inout SilenceWatch, _ times: [Double]) -> [SilenceWatch.Action] {
        times.map { watch.check(at: $0) }
    }

    @Test("is nothing for a moment, then the controller is asked")
    func asks() {
        var watch = SilenceWatch(now: 0)
        #expect(actions(&watch, [1, 2.4, 2.5, 3]) == [.none, .none, .ask, .ask])
        watch.heardAnswer(at: 3)
        #expect(actions(&watch, [5, 5.5]) == [.none, .ask])
    }

    @Test("is in doubt from the question to the answer, or to a report")
    func doubt() {
        var watch = SilenceWatch(now: 0)
        _ = watch.check(at: 2)
        #expect(watch.hearing == .ok)
        _ = watch.check(at: 3)
        #expect(watch.hearing == .inDoubt)
        watch.heardAnswer(at: 3.5)
        #expect(watch.hearing == .ok)
        _ = watch.check(at: 6)
        #expect(watch.hearing == .inDoubt)
        watch.heardReport(at: 6.5)
        #expect(watch.hearing == .ok)
        _ = actions(&watch, [10, 97])
        #expect(watch.hearing == .blind)
    }

    @Test("of a controller that answers is believed for 90 seconds, then remedies follow one another")
    func stages() {
        var watch = SilenceWatch(now: 0)
        for second in 1..<90 { watch.heardAnswer(at: Double(second)) }
        watch.heardAnswer(at: 100)
        #expect(actions(&watch, [89.9, 90, 91, 95, 96, 100]) == [.none, .reassert, .none, .reset, .none, .giveUp])
        #expect(watch.hearing == .blind)
    }

    @Test("has something to say when it is due, and not before")
    func due() {
        var watch = SilenceWatch(now: 0)
        #expect(watch.due == 2.5)
        watch.heardAnswer(at: 89)
        #expect(watch.due == 90)
        #expect(actions(&watch, [89.9, 90]) == [.none, .reassert])
        watch.heardReport(at: 91)
        #expect(watch.due == 93.5)
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

    private var withReference: SilenceWatch.Settings {
        var settings = SilenceWatch.Settings()
        settings.references = [BeaconID(uuid: ProximityUUID(0), major: 1, minor: 7)]
        return settings
    }

    @Test("is suspicious after ten seconds where a reference beacon should be heard, from the start on")
    func reference() {
        var watch = SilenceWatch(settings: withReference, now: 0)
        watch.heardAnswer(at: 9)
        #expect(actions(&watch, [9.9, 10, 15, 20]) == [.none, .reassert, .reset, .giveUp])
        watch.heardReport(at: 21)
        watch.heardReference(at: 21)
        #expect(actions(&watch, [23, 31]) == [.none, .reassert])
    }

    @Test("is believed as ever when a reference beacon has long been missing among others")
    func missingReference() {
        var watch = SilenceWatch(settings: withReference, now: 0)
        for second in 1...61 { watch.heardReport(at: Double(second)) }
        watch.heardAnswer(at: 80)
        #expect(actions(&watch, [80, 151]) == [.none, .reassert])
    }

    @Test("of a source that was given up for it stays in doubt until something is heard")
    func startsInDoubt() {
        var settings = SilenceWatch.Settings()
        settings.startsInDoubt = true
        var watch = SilenceWatch(settings: settings, now: 0)
        watch.heardAnswer(at: 4)
        #expect(watch.check(at: 4) == .none)
        #expect(watch.hearing == .blind)
        watch.heardReport(at: 5)
        #expect(watch.hearing == .ok)
    }
}
