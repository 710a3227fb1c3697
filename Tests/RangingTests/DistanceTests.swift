import Beacon
import Ranging
import Testing

@Suite("Distance and proximity")
struct DistanceTests {
    private func distance(rssi: Double, measuredPower: Int8, settings: RangingSettings = .init()) throws -> Distance {
        var ranger = Ranger(settings: settings)
        for step in 0..<20 {
            ranger.add(sighting(1, at: Double(step) / 10, rssi: reading(rssi), measuredPower: measuredPower))
        }
        return try #require(ranger.tick(at: Timestamp(seconds: 2)).ranking.beacons.first?.distance)
    }

    @Test("at the measured power the distance is one metre", arguments: [-100, -59, 0, 15] as [Int8])
    func oneMetre(power: Int8) throws {
        #expect(abs(try distance(rssi: Double(power), measuredPower: power).metres - 1) < 0.01)
    }

    @Test("ten times the exponent in dB is ten times the distance", arguments: [1.6, 2, 3])
    func exponent(exponent: Double) throws {
        var settings = RangingSettings()
        settings.pathLossExponent = exponent
        let metres = try distance(rssi: -50 - 10 * exponent, measuredPower: -50, settings: settings).metres
        #expect(abs(metres - 10) < 0.01)
    }

    @Test("a correction moves the measured power")
    func correction() throws {
        var settings = RangingSettings()
        settings.measuredPowerCorrection = -12
        #expect(abs(try distance(rssi: -71, measuredPower: -59, settings: settings).metres - 1) < 0.01)
    }

    @Test("the interval lies around the distance, and is wider the less is known")
    func interval() throws {
        var settings = RangingSettings()
        settings.claimBias = 0
        let wide = try distance(rssi: -70, measuredPower: -59, settings: settings)
        settings.measuredPowerDeviation = 1
        settings.pathLossExponentDeviation = 0.1
        let narrow = try distance(rssi: -70, measuredPower: -59, settings: settings)
        #expect(wide.low < narrow.low && narrow.low < narrow.metres)
        #expect(narrow.metres < narrow.high && narrow.high < wide.high)
    }

    @Test("the interval holds the truth as often as it says, when errors are what the settings expect")
    func coverage() throws {
        var settings = RangingSettings()
        settings.measuredPowerDeviation = 4
        // No errors but those: what strong readings add to a level is in a calibrated power, and in no claim here.
        settings.claimBias = 0
        settings.strengthBias = 0
        settings.shadowingDeviation = 3
        settings.pathLossExponentDeviation = 0
        var noise = SeededNoise(seed: 11)
        var held = 0
        for _ in 0..<1000 {
            let truth = Double.random(in: 0.5..<10, using: &noise)
            // The level at the truth, with the errors of measured power and shadowing together: sqrt(4² + 3²).
            let decades = try decadesOf(truth, settings: settings)
            let level = -59 - 22 * decades + noise.normal(deviation: 5)
            var ranger = Ranger(settings: settings)
            for step in 0..<20 {
                let rssi = reading(level + noise.normal(deviation: 4))
                ranger.add(sighting(1, at: Double(step) / 10, rssi: rssi))
            }
            let beacons = ranger.tick(at: Timestamp(seconds: 2)).ranking.beacons
            let distance = try #require(beacons.first?.distance)
            held += distance.low <= truth && truth <= distance.high ? 1 : 0
        }
        #expect((750...870).contains(held))
    }

    /// log10 by bisection over powers of ten, so that no C library is needed here.
    private func decadesOf(_ metres: Double, settings: RangingSettings) throws -> Double {
        var value = metres
        var decades = 0.0
        var weight = 1.0
        while value >= 10 { value /= 10; decades += 1 }
        while value < 1 { value *= 10; decades -= 1 }
        for _ in 0..<40 {
            weight /= 2
            value *= value
            if value >= 10 {
                value /= 10
                decades += weight
            }
        }
        return decades
    }

    /// The site knows the powers.
    private var measured: RangingSettings {
        var settings = RangingSettings()
        settings.corrections = [BeaconConstraint(uuid: museum): BeaconCorrection(deviation: 2)]
        return settings
    }

    @Test(
        "a claim alone does not make a beacon immediate: the class goes by the middle of the interval",
        arguments: [(-48.0, Proximity.near), (-59, .near), (-80, .far), (-35, .immediate)])
    func claimed(rssi: Double, expected: Proximity) throws {
        let outcome = run(script([ScriptedBeacon(minor: 1) { _ in rssi }], until: 5), until: 5)
        let ranked = try #require(outcome.ranked(1, at: 5))
        #expect(ranked.proximity == expected)
        let distance = try #require(ranked.distance)
        let middle = (distance.low * distance.high).squareRoot()
        #expect(expected == (middle <= 0.5 ? .immediate : middle <= 3 ? .near : .far))
    }

    @Test("what is usual moves the interval, the more the less the level tells, and not the distance")
    func usual() throws {
        var anywhere = RangingSettings()
        anywhere.typicalDistanceFactor = 1e6
        anywhere.claimBias = 0
        var usual = anywhere
        usual.typicalDistanceFactor = 3
        let (free, drawn) = (
            try distance(rssi: -95, measuredPower: -59, settings: anywhere),
            try distance(rssi: -95, measuredPower: -59, settings: usual)
        )
        #expect(free.metres == drawn.metres)
        #expect(drawn.high < free.high && drawn.high / drawn.low < free.high / free.low)
    }

    @Test(
        "the classes are those of the thresholds",
        arguments: [(-48.0, Proximity.immediate), (-59, .near), (-66, .near), (-80, .far)])
    func classes(rssi: Double, expected: Proximity) {
        // Of a measured beacon; what a claim may be off by moves its class (below).
        let outcome = run(script([ScriptedBeacon(minor: 1) { _ in rssi }], until: 5), until: 5, settings: measured)
        #expect(outcome.ranked(1, at: 5)?.proximity == expected)
        #expect(outcome.times(of: .proximity(beacon(1), expected, previous: .unknown)) == [1])
    }

    @Test("thresholds are settings")
    func thresholds() {
        var settings = RangingSettings()
        settings.immediateDistance = 2
        settings.nearDistance = 20
        let signals = [ScriptedBeacon(minor: 1) { _ in -59 }, ScriptedBeacon(minor: 2) { _ in -80 }]
        let outcome = run(script(signals, until: 5), until: 5, settings: settings)
        #expect(outcome.ranked(1, at: 5)?.proximity == .immediate)
        #expect(outcome.ranked(2, at: 5)?.proximity == .near)
    }

    @Test("a level that wavers about a threshold does not change the class to and fro")
    func hysteresis() {
        // 3 m is at -69.5 dBm; one dB to either side of it, two seconds each.
        let signal = ScriptedBeacon(minor: 1) { Int($0 / 2) % 2 == 0 ? -68.5 : -70.5 }
        func changes(_ settings: RangingSettings) -> Int {
            run(script([signal], until: 60), until: 60, settings: settings).events.filter {
                if case .proximity = $0.event { true } else { false }
            }.count
        }
        var settings = measured
        #expect(changes(settings) == 1)
        settings.proximityHysteresis = 1
        #expect(changes(settings) > 10)
    }

    @Test("who is not heard any more is unknown before it exits")
    func stale() {
        let signal = ScriptedBeacon(minor: 1) { $0 < 10 ? -59 : nil }
        let outcome = run(script([signal], until: 12), until: 14)
        #expect(outcome.ranked(1, at: 12)?.proximity == .near)
        #expect(outcome.ranked(1, at: 14)?.proximity == .unknown)
        #expect(outcome.ranked(1, at: 14)?.distance != nil)
    }

    @Test("a distance that could be anything is unknown")
    func tooWide() {
        var settings = RangingSettings()
        settings.measuredPowerDeviation = 14
        settings.typicalDistanceFactor = 1e6
        let outcome = run(script([ScriptedBeacon(minor: 1) { _ in -59 }], until: 5), until: 5, settings: settings)
        #expect(outcome.ranked(1, at: 5)?.proximity == .unknown)
    }
}
