import Beacon
import Ranging
import Testing

@Suite("Level")
struct LevelTests {
    private func level(_ outcome: Outcome, at time: Double) throws -> Double {
        try #require(outcome.ranked(1, at: time)?.filteredRSSI)
    }

    @Test("a steady signal is its own level")
    func steady() throws {
        let outcome = run(script([ScriptedBeacon(minor: 1) { _ in -70 }], until: 5), until: 5)
        #expect(abs(try level(outcome, at: 5) - -70) < 0.01)
    }

    @Test("a step is followed within two seconds, and not passed", arguments: [-90.0, -50.0])
    func step(to end: Double) throws {
        let signal = ScriptedBeacon(minor: 1) { $0 < 10 ? -70 : end }
        let outcome = run(script([signal], until: 15), until: 15, interval: 0.5)
        #expect(abs(try level(outcome, at: 9.5) - -70) < 0.5)
        #expect(abs(try level(outcome, at: 12) - end) < 0.5)
        let range = min(-70, end) - 0.1...max(-70, end) + 0.1
        #expect(outcome.rankings.allSatisfy { range.contains($0.beacons.first?.filteredRSSI ?? 0) })
    }

    @Test("a ramp is followed with at most one second of delay")
    func ramp() throws {
        let signal = ScriptedBeacon(minor: 1) { -90 + 3 * $0 }
        let outcome = run(script([signal], until: 12), until: 12)
        for time in stride(from: 4.0, through: 11, by: 1) {
            #expect(abs(try level(outcome, at: time) - (-90 + 3 * (time - 0.5))) < 3)
        }
    }

    @Test("a burst of outliers moves the level little", arguments: [-20.0, -110.0])
    func outliers(at level: Double) throws {
        let clean = ScriptedBeacon(minor: 1) { _ in -75 }
        let dirty = ScriptedBeacon(minor: 1) { (5.0..<5.3).contains($0) ? level : -75 }
        let reference = run(script([clean], until: 8), until: 8)
        let outcome = run(script([dirty], until: 8), until: 8)
        for time in stride(from: 1.0, through: 8, by: 1) {
            #expect(abs(try self.level(outcome, at: time) - self.level(reference, at: time)) < 6)
        }
        #expect(abs(try self.level(outcome, at: 8) - -75) < 0.01)
    }

    /// One reading of those in 2 s is far too strong; what it adds to their mean says where it was cut.
    @Test(
        "a reading is cut at 12 dB above the median, and at 15 dB among few",
        arguments: [(0.1, 20.0, 12.0), (0.5, 4, 15)])
    func ceiling(interval: Double, readings: Double, limit: Double) throws {
        var settings = RangingSettings()
        settings.strengthBias = 0
        let signal = ScriptedBeacon(minor: 1, interval: interval) { (4.45..<4.55).contains($0) ? -30 : -70 }
        let outcome = run(script([signal], until: 5), until: 5, settings: settings)
        #expect(abs(try level(outcome, at: 5) - -70 - limit / readings) < 0.01)
    }

    @Test("over a gap the last level is held, and its interval widens")
    func gap() throws {
        let signal = ScriptedBeacon(minor: 1, interval: 0.5) { $0 < 10 || $0 > 16 ? -70 : nil }
        let outcome = run(script([signal], until: 20), until: 20)
        let before = try #require(outcome.ranked(1, at: 10)?.distance)
        let during = try #require(outcome.ranked(1, at: 14)?.distance)
        let after = try #require(outcome.ranked(1, at: 20)?.distance)
        #expect(abs(during.metres - before.metres) < 0.01)
        #expect(during.high / during.low > 1.1 * before.high / before.low)
        #expect(abs(after.high / after.low - before.high / before.low) < 0.1)
    }

    @Test("the rate of a beacon does not change its level", arguments: [0.02, 0.1, 0.5, 1, 2.5])
    func rate(interval: Double) throws {
        var noise = SeededNoise(seed: 3)
        var sum = 0.0
        for _ in 0..<40 {
            let signal = ScriptedBeacon(minor: 1, interval: interval) { _ in -72 }
            var noisy = script([signal], until: 12)
            for index in noisy.indices {
                noisy[index].rssi = reading(-72 + noise.normal(deviation: 3))
            }
            sum += try level(run(noisy, until: 12), at: 12)
        }
        #expect(abs(sum / 40 - -72) < 1.5)
    }

    @Test("a change of rate does not disturb a steady level")
    func rateChange() throws {
        let slow = ScriptedBeacon(minor: 1, interval: 1) { $0 < 10 ? -66 : nil }
        let fast = ScriptedBeacon(minor: 1, interval: 0.1) { $0 >= 10 ? -66 : nil }
        let outcome = run(script([slow, fast], until: 20), until: 20)
        #expect(outcome.rankings.allSatisfy { abs(($0.beacons.first?.filteredRSSI ?? 0) - -66) < 0.01 })
    }

    @Test("stronger readings count more than weaker ones")
    func strongerCountMore() throws {
        let signal = ScriptedBeacon(minor: 1, interval: 0.1) { Int(($0 * 10).rounded()) % 2 == 0 ? -60 : -70 }
        #expect(try level(run(script([signal], until: 5), until: 5), at: 5) > -64.7)
    }

    @Test("readings that agree give a narrower interval than readings that scatter")
    func variance() throws {
        let steady = ScriptedBeacon(minor: 1) { _ in -70 }
        let wild = ScriptedBeacon(minor: 1) { Int(($0 * 10).rounded()) % 2 == 0 ? -58 : -82 }
        func width(_ beacon: ScriptedBeacon) throws -> Double {
            var settings = RangingSettings()
            settings.measuredPowerDeviation = 1
            settings.pathLossExponentDeviation = 0
            settings.shadowingDeviation = 0
            settings.claimBias = 0
            let outcome = run(script([beacon], until: 5), until: 5, settings: settings)
            let distance = try #require(outcome.ranked(1, at: 5)?.distance)
            return distance.high / distance.low
        }
        #expect(try width(wild) > 1.1 * width(steady))
    }

    @Test("a late sighting from long ago does not change the level, nor when the beacon was last seen")
    func late() throws {
        var sightings = script([ScriptedBeacon(minor: 1) { _ in -70 }], until: 10)
        let reference = run(sightings, until: 10)
        sightings.append(sighting(1, at: 1, rssi: -20))
        let outcome = run(sightings, until: 10)
        #expect(abs(try level(outcome, at: 10) - level(reference, at: 10)) < 0.01)
        #expect(outcome.ranked(1, at: 10)?.lastSeen == reference.ranked(1, at: 10)?.lastSeen)
    }
}
