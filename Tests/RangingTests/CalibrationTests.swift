import Beacon
import Ranging
import Testing

@Suite("Calibration")
struct CalibrationTests {
    /// Readings at a distance in a hall with a given power and exponent, one in fifty of them far off.
    private func hall(
        _ distances: [(metres: Double, decibels: Double)], power: Double, exponent: Double, seed: UInt64,
        settings: RangingSettings = .init(), scatter: Double = 4
    ) -> Calibration {
        var noise = SeededNoise(seed: seed)
        var calibration = Calibration(settings: settings)
        for (metres, decibels) in distances {
            for step in 0..<300 {
                let outlier = step % 50 == 7 ? (step % 100 == 7 ? -25.0 : 25) : 0
                let level = power - exponent * decibels + noise.normal(deviation: scatter) + outlier
                calibration.add(reading(level), at: metres)
            }
        }
        return calibration
    }

    /// Metres, and 10 · log10 of them.
    private let distances = [(1.0, 0.0), (2, 3.0103), (4, 6.0206), (8, 9.0309)]

    @Test("the power at one metre is found, whatever is claimed", arguments: 1...5)
    func power(seed: UInt64) throws {
        let calibration = hall([distances[0]], power: -68, exponent: 2, seed: seed)
        let estimate = try #require(calibration.estimate(claimed: -59))
        // Stronger readings count more, as they do in the level filter: about 2 dB at this scatter.
        #expect((-68 ... -65).contains(estimate.measuredPower))
        #expect((2.9...3.6).contains(estimate.deviation))
        #expect(estimate.exponent == nil && !estimate.isExponentUsable)
        let correction = BeaconCorrection(measuredPower: estimate.measuredPower, deviation: estimate.deviation)
        #expect(estimate.recommendation == .correct(correction))
        #expect(estimate.difference.map { $0 < -6 } == true)
    }

    @Test("further distances give the exponent, with an uncertainty that holds it", arguments: 1...5)
    func exponent(seed: UInt64) throws {
        let calibration = hall(distances, power: -60, exponent: 2.7, seed: seed)
        let estimate = try #require(calibration.estimate(claimed: nil))
        let exponent = try #require(estimate.exponent)
        let deviation = try #require(estimate.exponentDeviation)
        #expect(abs(exponent - 2.7) < 2 * deviation)
        #expect(deviation < 0.5 && estimate.isExponentUsable)
        #expect(estimate.points.map(\.metres) == [1, 2, 4, 8])
    }

    @Test("a claim that holds is kept")
    func keep() throws {
        let calibration = hall([distances[0]], power: -60, exponent: 2, seed: 1)
        #expect(try #require(calibration.estimate(claimed: -59)).recommendation == .keep)
    }

    @Test("a level that wanders is to be measured again")
    func again() throws {
        let calibration = hall([distances[0]], power: -60, exponent: 2, seed: 1, scatter: 14)
        #expect(try #require(calibration.estimate(claimed: -59)).recommendation == .measureAgain)
    }

    @Test("where only a farther distance was measured the site's exponent brings it to one metre")
    func elsewhere() throws {
        var settings = RangingSettings()
        settings.pathLossExponent = 2.5
        let far = hall([distances[2]], power: -60, exponent: 2.5, seed: 3, settings: settings)
        let estimate = try #require(far.estimate(claimed: nil))
        #expect(abs(estimate.measuredPower - -59) < 1.5)
        #expect(estimate.deviation > 2.5)
    }

    @Test("a slope that no room has is pulled towards the site's, and the power stays near what was measured at 1 m")
    func slope() throws {
        let estimate = try #require(
            hall([(1, 0), (2, 0), (4, 0)], power: -60, exponent: 2, seed: 4).estimate(claimed: nil))
        let measured = try #require(estimate.points.first?.level)
        #expect(try #require(estimate.exponent) > 0.5)
        #expect(abs(estimate.measuredPower - measured) < 5)
    }

    @Test("the receiver's correction is in the result, so that it holds for other receivers")
    func receiver() throws {
        var calibrations = [Calibration(), Calibration(receiverCorrection: 5)]
        for index in calibrations.indices {
            for step in 0..<100 { calibrations[index].add(Int8(-60 - step % 3), at: 1) }
        }
        let powers = calibrations.compactMap { $0.estimate(claimed: -59)?.measuredPower }
        #expect(powers.count == 2 && abs(powers[1] - powers[0] - 5) < 1e-9)
    }

    @Test("too few readings give no estimate, and impossible distances none")
    func few() throws {
        var calibration = Calibration()
        #expect(calibration.estimate(claimed: nil) == nil)
        for _ in 0..<Calibration.minimumReadings - 1 { calibration.add(-60, at: 1) }
        for metres in [0, -1, .nan, .infinity] { for _ in 0..<100 { calibration.add(-60, at: metres) } }
        #expect(calibration.estimate(claimed: nil) == nil)
        calibration.add(-60, at: 1)
        let power = try #require(calibration.estimate(claimed: -60)?.measuredPower)
        #expect(abs(power - -60) < 1e-9)
    }

    @Test("calibrating with the ranger's own level makes the distance right")
    func consistent() throws {
        var noise = SeededNoise(seed: 8)
        var calibration = Calibration()
        let readings = (0..<600).map { _ in reading(-71 + noise.normal(deviation: 5)) }
        for rssi in readings { calibration.add(rssi, at: 1) }
        let estimate = try #require(calibration.estimate(claimed: -59))
        var settings = RangingSettings()
        settings.corrections = [
            BeaconConstraint(beacon(1)): BeaconCorrection(measuredPower: estimate.measuredPower)
        ]
        let sightings = readings.enumerated().map { sighting(1, at: Double($0.offset) / 10, rssi: $0.element) }
        let distances = run(sightings, until: 60, settings: settings).rankings.compactMap {
            $0.beacons.first?.distance?.metres
        }
        #expect(distances.count == 60)
        let mean: Double = distances.reduce(0, +) / 60
        #expect(abs(mean - 1) < 0.1)
    }

    @Test(
        "after a calibration the interval holds the truth in 75 to 90 of 100 seconds of standing",
        arguments: [0.1, 0.5])
    func coverage(interval: Double) throws {
        var noise = SeededNoise(seed: 21)
        var held = 0
        var seconds = 0
        for _ in 0..<60 {
            // Claimed -59 dBm; the spots' own deviation is 4.4 dB, as in the worst of halls, and a reading's 4 dB.
            let power = -66 + noise.normal(deviation: 5)
            let exponent = 2.2 + noise.normal(deviation: 0.2)
            func level(_ decibels: Double, _ spot: Double) -> Int8 {
                reading(power - exponent * decibels + spot + noise.normal(deviation: 4))
            }
            var calibration = Calibration()
            for (metres, decibels) in distances {
                let spot = noise.normal(deviation: 4.4)
                for _ in 0..<200 { calibration.add(level(decibels, spot), at: metres) }
            }
            let estimate = try #require(calibration.estimate(claimed: -59))
            var settings = RangingSettings()
            settings.pathLossExponent = try #require(estimate.exponent)
            settings.pathLossExponentDeviation = try #require(estimate.exponentDeviation)
            settings.corrections = [
                BeaconConstraint(beacon(1)): BeaconCorrection(
                    measuredPower: estimate.measuredPower, deviation: estimate.deviation)
            ]
            for (metres, decibels) in distances + [(3, 4.7712), (6, 7.7815)] {
                let spot = noise.normal(deviation: 4.4)
                let sightings = (0..<Int(20 / interval)).map {
                    sighting(1, at: Double($0) * interval, rssi: level(decibels, spot))
                }
                for ranking in run(sightings, until: 20, settings: settings).rankings.dropFirst(2) {
                    let distance = try #require(ranking.beacons.first?.distance)
                    seconds += 1
                    held += distance.low <= metres && metres <= distance.high ? 1 : 0
                }
            }
        }
        let share = Double(held) / Double(seconds)
        #expect((0.75...0.9).contains(share), "\(share)")
    }
}
