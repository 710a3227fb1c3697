import Beacon
import Ranging
import Testing

@Suite("What the past tells about a beacon's power")
struct UsualLevelTests {
    /// Two beacons 4 m apart that claim the same; the first is 14 dB stronger. The visitor stands `stay` seconds at each,
    /// in turns, beginning at the first.
    private func visit(stay: Double, until end: Double, settings: RangingSettings = .init()) -> Outcome {
        let isAtFirst = { (time: Double) in Int(time / stay) % 2 == 0 }
        let strong = ScriptedBeacon(minor: 1) { isAtFirst($0) ? -45 : -58 }
        let weak = ScriptedBeacon(minor: 2, offset: 0.05) { isAtFirst($0) ? -72 : -59 }
        return run(script([strong, weak], until: end), until: end, settings: settings)
    }

    @Test("a beacon that is strong everywhere is not the nearest everywhere")
    func strong() {
        let outcome = visit(stay: 20, until: 200)
        #expect(outcome.nearest(at: 19) == beacon(1))
        for turn in 1..<10 {
            #expect(outcome.nearest(at: Double(turn) * 20 + 19) == beacon(turn % 2 == 0 ? 1 : 2))
        }
    }

    @Test("where powers are known the past counts nothing, and where it is switched off too")
    func known() {
        var calibrated = RangingSettings()
        calibrated.corrections = [BeaconConstraint(uuid: museum): BeaconCorrection(deviation: 0)]
        #expect(visit(stay: 20, until: 100, settings: calibrated).switches.isEmpty)
        var off = RangingSettings()
        off.placeDeviation = 1e6
        #expect(visit(stay: 20, until: 100, settings: off).switches.isEmpty)
    }

    @Test("a long stay says no more than a short one")
    func stay() throws {
        let short = try #require(visit(stay: 20, until: 40).switches.first)
        let long = try #require(visit(stay: 2000, until: 2040).switches.first)
        #expect(abs((short.time - 20) - (long.time - 2000)) <= 2)
    }

    @Test("who stands still has the order of the levels", arguments: 1...10 as ClosedRange<UInt64>)
    func still(seed: UInt64) {
        var noise = SeededNoise(seed: seed)
        let levels = (1...6).map { _ in Double.random(in: -90 ... -50, using: &noise) }
        let signals = levels.enumerated().map { index, level in
            ScriptedBeacon(minor: UInt16(index + 1), offset: Double(index) / 100) { _ in level }
        }
        let outcome = run(script(signals, until: 60), until: 60)
        let strongest = levels.indices.max { levels[$0] < levels[$1] }.map { beacon(UInt16($0 + 1)) }
        #expect(outcome.nearest(at: 60) == strongest)
        #expect(outcome.rankings.last?.beacons.first?.id == strongest)
    }

    @Test("distances know nothing of it")
    func distance() throws {
        let metres = try [RangingSettings().placeDeviation, 1e6].map { deviation in
            var settings = RangingSettings()
            settings.placeDeviation = deviation
            return try #require(visit(stay: 20, until: 100, settings: settings).ranked(1, at: 95)?.distance?.metres)
        }
        #expect(metres[0] == metres[1])
    }

    @Test("an explanation tells how much it is, within its bounds")
    func explanation() throws {
        var ranger = Ranger()
        for step in 0..<50 {
            let time = Double(step) / 10
            ranger.add(sighting(1, at: time, rssi: -100))
            ranger.add(sighting(2, at: time, rssi: -30))
            if step % 10 == 9 { _ = ranger.tick(at: Timestamp(seconds: time)) }
        }
        let now = Timestamp(seconds: 5)
        let weak = try #require(ranger.explanation(of: beacon(1), at: now)?.allowance)
        let strong = try #require(ranger.explanation(of: beacon(2), at: now)?.allowance)
        #expect((0.1...12).contains(weak) && (-12 ... -0.1).contains(strong))
    }
}
