import Beacon
import Ranging
import Testing

@Suite("Level algorithms")
struct AlgorithmTests {
    private func level(
        _ algorithm: LevelAlgorithm, _ signal: ScriptedBeacon, until end: Double
    ) throws -> Double {
        var settings = RangingSettings()
        settings.levelAlgorithm = algorithm
        let outcome = run(script([signal], until: end), until: end, settings: settings)
        return try #require(outcome.ranked(1, at: end)?.filteredRSSI)
    }

    @Test(
        "each has the level of a steady signal, and an interval around its distance",
        arguments: LevelAlgorithm.allCases)
    func steady(algorithm: LevelAlgorithm) throws {
        var settings = RangingSettings()
        settings.levelAlgorithm = algorithm
        let outcome = run(script([ScriptedBeacon(minor: 1) { _ in -70 }], until: 5), until: 5, settings: settings)
        let ranged = try #require(outcome.ranked(1, at: 5))
        #expect(abs(try #require(ranged.filteredRSSI) - -70) < 0.01)
        #expect(ranged.distance.map { $0.low < $0.metres && $0.metres < $0.high } == true)
        #expect(outcome.nearest(at: 5) == beacon(1))
    }

    @Test(
        "a step shows each at its published pace",
        arguments: [
            // Ten readings after a step of 20 dB: 0.9¹⁰ and 0.7¹⁰ of it are left.
            (LevelAlgorithm.arma, -76.97), (.ewma, -70.56),
        ])
    func recursive(algorithm: LevelAlgorithm, expected: Double) throws {
        let signal = ScriptedBeacon(minor: 1) { $0 < 19.95 ? -90 : -70 }
        #expect(abs(try level(algorithm, signal, until: 21) - expected) < 0.05)
    }

    @Test("the mean of twenty seconds follows in twenty seconds, and leaves out the ends")
    func mean() throws {
        let step = ScriptedBeacon(minor: 1) { $0 < 30 ? -90 : -70 }
        #expect(abs(try level(.altBeaconMean, step, until: 40) - -80) < 1)
        #expect(abs(try level(.altBeaconMean, step, until: 52) - -70) < 0.01)
        let spikes = ScriptedBeacon(minor: 1, interval: 1) { Int($0) % 20 == 3 ? -20 : -70 }
        #expect(abs(try level(.altBeaconMean, spikes, until: 60) - -70) < 0.01)
    }

    @Test("the Kalman filter settles at the slow pace of its constants")
    func kalman() throws {
        let signal = ScriptedBeacon(minor: 1) { $0 < 60 ? -90 : -70 }
        let after = try level(.kalman, signal, until: 61)
        // Its gain settles at 0.044, so that ten readings go a third of the way.
        #expect((-84.0 ... -82).contains(after))
    }
}
