import Beacon
import Ranging
import Testing

@Suite("Corrections")
struct CorrectionTests {
    private func metres(_ corrections: [BeaconConstraint: BeaconCorrection], site: Double = 0) throws -> Double {
        var settings = RangingSettings()
        settings.corrections = corrections
        settings.measuredPowerCorrection = site
        let outcome = run(script([ScriptedBeacon(minor: 1) { _ in -70 }], until: 3), until: 3, settings: settings)
        return try #require(outcome.ranked(1, at: 3)?.distance?.metres)
    }

    private let all = BeaconConstraint(uuid: museum)
    private let floor = BeaconConstraint(uuid: museum, major: 1)
    private let own = BeaconConstraint(beacon(1))

    @Test("a measured power replaces the frame's, an offset is added to it")
    func powers() throws {
        #expect(abs(try metres([own: BeaconCorrection(measuredPower: -70)]) - 1) < 0.01)
        #expect(abs(try metres([own: BeaconCorrection(offset: -11)]) - 1) < 0.01)
        #expect(abs(try metres([:], site: -11) - 1) < 0.01)
        #expect(abs(try metres([own: BeaconCorrection(offset: -11)], site: 50) - 1) < 0.01)
    }

    @Test("the most exact correction counts, part by part")
    func exact() throws {
        let wide = BeaconCorrection(measuredPower: -20, exitTime: 1)
        let narrow = BeaconCorrection(measuredPower: -70)
        #expect(abs(try metres([all: wide, floor: wide, own: narrow]) - 1) < 0.01)
        #expect(abs(try metres([all: wide, floor: narrow]) - 1) < 0.01)
        #expect(abs(try metres([all: narrow, BeaconConstraint(beacon(2)): wide]) - 1) < 0.01)
    }

    @Test("a calibrated beacon has a narrower interval")
    func deviation() throws {
        func width(_ corrections: [BeaconConstraint: BeaconCorrection]) throws -> Double {
            var settings = RangingSettings()
            settings.corrections = corrections
            let outcome = run(script([ScriptedBeacon(minor: 1) { _ in -70 }], until: 3), until: 3, settings: settings)
            let distance = try #require(outcome.ranked(1, at: 3)?.distance)
            return distance.high / distance.low
        }
        #expect(try width([own: BeaconCorrection(deviation: 1)]) < 0.6 * width([:]))
    }

    @Test("an exit time of its own stands above learning, floor and cap", arguments: [1.0, 60])
    func exitTime(seconds: Double) {
        var settings = RangingSettings()
        settings.corrections = [own: BeaconCorrection(exitTime: seconds)]
        let signals = [1, 2].map { minor in ScriptedBeacon(minor: minor) { $0 < 20 ? -70 : nil } }
        let outcome = run(script(signals, until: 20), until: 100, settings: settings)
        let exits = outcome.times(of: .exited(beacon(1)))
        #expect(exits.count == 1 && exits.allSatisfy { abs($0 - 20 - seconds) <= 1.1 })
        #expect(outcome.times(of: .exited(beacon(2))) == [25])
    }

    @Test("corrected powers decide who is nearest")
    func nearest() {
        var settings = RangingSettings()
        settings.corrections = [own: BeaconCorrection(offset: 14)]
        let signals = [ScriptedBeacon(minor: 1) { _ in -65 }, ScriptedBeacon(minor: 2) { _ in -70 }]
        #expect(run(script(signals, until: 5), until: 5).nearest(at: 5) == beacon(1))
        #expect(run(script(signals, until: 5), until: 5, settings: settings).nearest(at: 5) == beacon(2))
    }
}
