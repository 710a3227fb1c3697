import Beacon
import Ranging
import Testing

@Suite("What is learned about claims")
struct ClaimBookTests {
    /// Two beacons 4 m apart that claim the same; the first is 14 dB stronger. The visitor stands `stay` seconds at
    /// each, in turns, beginning at the first.
    private func visit(stay: Double, until end: Double, settings: RangingSettings = .init()) -> Outcome {
        let isAtFirst = { (time: Double) in Int(time / stay) % 2 == 0 }
        let strong = ScriptedBeacon(minor: 1) { isAtFirst($0) ? -45 : -58 }
        let weak = ScriptedBeacon(minor: 2, offset: 0.05) { isAtFirst($0) ? -72 : -59 }
        return run(script([strong, weak], until: end), until: end, settings: settings)
    }

    /// What is learned of two beacons of which the first is 6 dB stronger than the second, after a stay at each.
    private func learned(stay: Int, settings: RangingSettings = .init()) throws -> (first: Double, second: Double) {
        var ranger = Ranger(settings: settings)
        for second in 0..<2 * stay {
            let isAtFirst = second < stay
            for step in 0..<10 {
                let time = Double(second) + Double(step) / 10
                ranger.add(sighting(1, at: time, rssi: isAtFirst ? -50 : -70))
                ranger.add(sighting(2, at: time + 0.05, rssi: isAtFirst ? -76 : -56))
            }
            _ = ranger.tick(at: Timestamp(seconds: Double(second + 1)))
        }
        let now = Timestamp(seconds: Double(2 * stay))
        return (
            try #require(ranger.explanation(of: beacon(1), at: now)?.allowance),
            try #require(ranger.explanation(of: beacon(2), at: now)?.allowance)
        )
    }

    @Test("the way there and the way back tell which of two claims too little")
    func reciprocal() throws {
        let allowances = try learned(stay: 20)
        #expect(allowances.first < -0.5 && allowances.second > 0.5)
        #expect(allowances.second - allowances.first < 6)
    }

    @Test("a long stay says little more than a short one")
    func stay() throws {
        #expect(abs(try learned(stay: 20).first - learned(stay: 500).first) < 0.5)
    }

    @Test("nothing is learned where it is switched off")
    func off() throws {
        var settings = RangingSettings()
        settings.placeDeviation = 1000
        #expect(try learned(stay: 20, settings: settings) == (0, 0))
        settings = RangingSettings()
        settings.claimDeviation = 0
        #expect(abs(try learned(stay: 20, settings: settings).first) < 0.01)
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

    @Test("a beacon that is strong everywhere is not the nearest everywhere")
    func strong() {
        // Six beacons that claim the same; the first is 10 dB stronger than that. The visitor stands 20 s at each,
        // twice, and then at a spot that is nearer to the second, where the first is heard 3 dB stronger all the same.
        let minors = 1...6 as ClosedRange<UInt16>
        func level(of minor: UInt16, at time: Double) -> Double {
            let excess = minor == 1 ? 10.0 : 0
            guard time < 240 else { return minor == 1 ? -62 : minor == 2 ? -65 : -80 }
            return excess + (UInt16(Int(time / 20) % 6 + 1) == minor ? -55 : -75)
        }
        let signals = minors.map { minor in
            ScriptedBeacon(minor: minor, offset: Double(minor) / 100) { level(of: minor, at: $0) }
        }
        func nearest(_ settings: RangingSettings) -> BeaconID? {
            run(script(signals, until: 300), until: 300, settings: settings).nearest(at: 300)
        }
        var off = RangingSettings()
        off.placeDeviation = 1e6
        #expect(nearest(RangingSettings()) == beacon(2))
        #expect(nearest(off) == beacon(1))
    }

    @Test("an explanation tells how much was learned, within its bounds")
    func explanation() throws {
        var ranger = Ranger()
        for step in 0..<600 {
            let time = Double(step) / 10
            ranger.add(sighting(1, at: time, rssi: step < 300 ? -120 : 10))
            ranger.add(sighting(2, at: time, rssi: step < 300 ? -30 : -120))
            if step % 10 == 9 { _ = ranger.tick(at: Timestamp(seconds: time)) }
        }
        let now = Timestamp(seconds: 60)
        for minor in 1...2 as ClosedRange<UInt16> {
            let allowance = try #require(ranger.explanation(of: beacon(minor), at: now)?.allowance)
            #expect((0.1...12).contains(abs(allowance)))
        }
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
}
