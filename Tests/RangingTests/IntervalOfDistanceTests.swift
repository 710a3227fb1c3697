import Beacon
import Ranging
import Testing

/// The 10–90 % interval of a distance, where all that it comes from is known.
@Suite("The interval of a distance, and the classes")
struct IntervalOfDistanceTests {
    /// Nothing is uncertain, but for a hundredth of a dB of a reading.
    private func exact(_ change: (inout RangingSettings) -> Void = { _ in }) -> RangingSettings {
        var settings = RangingSettings()
        settings.readingDeviation = 0.1
        settings.measuredPowerDeviation = 0
        settings.shadowingDeviation = 0
        settings.pathLossExponent = 2
        settings.pathLossExponentDeviation = 0
        settings.claimBias = 0
        settings.typicalDistanceFactor = 1e6
        change(&settings)
        return settings
    }

    /// What was heard so many dB below the measured power.
    private func distance(_ loss: Int, _ settings: RangingSettings) throws -> Distance {
        var ranger = Ranger(settings: settings)
        ranger.add(sighting(1, at: 0, rssi: Int8(-20 - loss), measuredPower: -20))
        return try #require(ranger.tick(at: Timestamp(seconds: 0)).ranking.beacons.first?.distance)
    }

    private func decibels(_ ratio: Double) -> Double { 20 * decimalLogarithm(ratio) }

    @Test("without uncertainty there is one distance", arguments: [-20, 0, 20, 40])
    func certain(loss: Int) throws {
        let distance = try distance(loss, exact())
        #expect(abs(decibels(distance.metres) - Double(loss)) < 0.001)
        #expect(decibels(distance.high / distance.low) < 0.3)
    }

    @Test(
        "what the reading, the spot and the claim may be wrong by adds up as variances do",
        arguments: [(6.0, 0.0, 0.0), (0, 6, 0), (0, 0, 6), (4, 4, 2), (2, 4, 4)])
    func budget(reading: Double, shadowing: Double, power: Double) throws {
        let settings = exact {
            $0.readingDeviation = max(reading, 0.1)
            $0.shadowingDeviation = shadowing
            $0.measuredPowerDeviation = power
        }
        let distance = try distance(20, settings)
        // 6 dB in each of these; 80 % are within 1.2816 deviations. The prior of 1e6 to either side takes a little.
        #expect(abs(decibels(distance.high / distance.metres) - 1.2816 * 6) < 0.05)
        #expect(abs(decibels(distance.metres / distance.low) - 1.2816 * 6) < 0.05)
    }

    @Test("a beacon's own deviation counts as the site's would")
    func own() throws {
        let site = exact { $0.measuredPowerDeviation = 3 }
        let own = exact { $0.corrections = [BeaconConstraint(uuid: museum): BeaconCorrection(deviation: 3)] }
        #expect(try distance(20, site) == distance(20, own))
    }

    @Test("the exponent's error grows with the distance from one metre, on either side of it")
    func exponent() throws {
        // By a tenth: 1 dB in 10 dB.
        let settings = exact { $0.pathLossExponentDeviation = 0.2 }
        let widths = try [-40, -20, 0, 20, 40].map { loss in
            let distance = try distance(loss, settings)
            return decibels(distance.high / distance.low) / 2
        }
        for (width, expected) in zip(widths, [4.0, 2, 0, 2, 4]) { #expect(abs(width - 1.2816 * expected) < 0.15) }
    }

    @Test("where the exponent is uncertain the middle of the interval lies where its inverse is on average")
    func meanSlope() throws {
        let settings = exact { $0.pathLossExponentDeviation = 0.2 }
        let distance = try distance(40, settings)
        // The mean of 1 / n over a normal distribution, by three points: 2, and 2 ± 0.2 · √3 with a sixth each.
        let inverse = 4.0 / 6 / 2 + 1.0 / 6 / (2 - 0.34641) + 1.0 / 6 / (2 + 0.34641)
        let middle = (distance.low * distance.high).squareRoot()
        #expect(abs(decimalLogarithm(middle) - 4 * inverse) < 0.003)
        #expect(abs(distance.metres - 100) < 0.1)
    }

    @Test("what beacons are stronger than they claim moves the interval, and not the distance", arguments: [-6.0, 3])
    func bias(bias: Double) throws {
        let wide = exact { $0.shadowingDeviation = 8 }
        let (without, with) = (
            try distance(20, wide),
            try distance(
                20,
                exact {
                    $0.shadowingDeviation = 8
                    $0.claimBias = bias
                })
        )
        #expect(abs(decibels(with.low / without.low) - bias) < 0.05)
        #expect(abs(decibels(with.high / without.high) - bias) < 0.05)
        #expect(with.metres == without.metres)
        let measured = exact {
            $0.shadowingDeviation = 8
            $0.claimBias = bias
            $0.corrections = [BeaconConstraint(uuid: museum): BeaconCorrection(measuredPower: -20, deviation: 0)]
        }
        #expect(try distance(20, measured) == without, "its own power is known")
    }

    @Test("a level that says nothing leaves what is usual: 4 m, and the factor to either side", arguments: [8, 12, 16])
    func usual(loss: Int) throws {
        let settings = exact {
            $0.measuredPowerDeviation = 100
            $0.typicalDistance = 4
            $0.typicalDistanceFactor = 2
        }
        let distance = try distance(loss, settings)
        #expect(abs(decibels((distance.low * distance.high).squareRoot() / 4)) < 0.15)
        // A factor of 2 is a deviation: 6.02 dB.
        #expect(abs(decibels(distance.high / distance.low) - 2 * 1.2816 * 6.0206) < 0.3)
    }

    @Test("a level that is as uncertain as what is usual meets it half-way")
    func halfway() throws {
        let settings = exact {
            $0.measuredPowerDeviation = 10
            $0.typicalDistance = 1
            // 10 dB.
            $0.typicalDistanceFactor = 3.16228
        }
        let distance = try distance(15, settings)
        let (low, high) = (decibels(distance.low), decibels(distance.high))
        #expect(abs((low + high) / 2 - 7.5) < 0.02)
        #expect(abs(high - low - 2 * 1.2816 * 10 / 2.0.squareRoot()) < 0.02)
    }

    @Test("no beacon is nearer than a millimetre or farther than ten kilometres")
    func bounds() throws {
        var ranger = Ranger(settings: exact { $0.measuredPowerDeviation = 50 })
        ranger.add(sighting(1, at: 0, rssi: 127, measuredPower: -128))
        ranger.add(sighting(2, at: 0, rssi: -128, measuredPower: 127))
        let distances = ranger.tick(at: Timestamp(seconds: 0)).ranking.beacons.compactMap(\.distance)
        try #require(distances.count == 2)
        #expect(abs(distances[0].metres - 0.001) < 1e-9 && abs(distances[0].low - 0.001) < 1e-9)
        #expect(abs(distances[1].metres - 10_000) < 1e-3 && abs(distances[1].high - 10_000) < 1e-3)
    }

    // MARK: - Classes

    /// The classes of a beacon of known power that is heard with these losses, one after another.
    private func classes(_ losses: [Int], _ settings: RangingSettings) throws -> [Proximity] {
        var ranger = Ranger(settings: settings)
        return try losses.enumerated().map { step, loss in
            let time = Double(step) * 3
            for reading in 0..<4 {
                ranger.add(sighting(1, at: time + Double(reading) / 10, rssi: Int8(-20 - loss), measuredPower: -20))
            }
            return try #require(
                ranger.tick(at: Timestamp(seconds: time + 0.4)).ranking.beacons.first?.proximity)
        }
    }

    private func known(_ change: (inout RangingSettings) -> Void = { _ in }) -> RangingSettings {
        exact {
            $0.immediateDistance = 1
            $0.nearDistance = 10
            $0.corrections = [BeaconConstraint(uuid: museum): BeaconCorrection(deviation: 0.1)]
            change(&$0)
        }
    }

    @Test("a beacon at exactly the distance that is immediate is so, and one beyond it is near")
    func immediate() throws {
        #expect(try classes([0], known()) == [.immediate] && classes([1], known()) == [.near])
    }

    @Test("a beacon at exactly the distance that is near is not far")
    func near() throws {
        func settings(_ metres: Double) -> RangingSettings {
            known {
                $0.immediateDistance = 0
                $0.nearDistance = metres
            }
        }
        #expect(try classes([0], settings(1)) == [.near] && classes([0], settings(0.999)) == [.far])
    }

    @Test("a beacon at exactly the distance that is near is so with a probability of one half, which is enough")
    func exactlyHalf() throws {
        // Immediate is so far away that it has no share.
        let settings = known {
            $0.immediateDistance = 0.001
            $0.nearDistance = 1
        }
        #expect(try classes([0], settings) == [.near])
    }

    @Test("a distance whose interval has no width is near up to exactly the threshold")
    func withoutWidth() throws {
        // Nearer than a millimetre, which is the least that is reported.
        let settings = known {
            $0.immediateDistance = 0.0001
            $0.nearDistance = powerOfTen(-3)
        }
        #expect(try classes([-80], settings) == [.near])
    }

    @Test("a class is left beyond its threshold by the factor, and taken back inside of it by the same")
    func hysteresis() throws {
        // A factor of 1.2 is 1.58 dB: of 0 dB for what is immediate, and of 20 dB for what is near.
        #expect(
            try classes([0, 1, 2, 1, 0, -1, -2], known())
                == [.immediate, .immediate, .near, .near, .near, .near, .immediate])
        #expect(try classes([15, 21, 22, 21, 20, 19, 18], known()) == [.near, .near, .far, .far, .far, .far, .near])
        let without = known { $0.proximityHysteresis = 1 }
        #expect(try classes([-1, 1, -1], without) == [.immediate, .near, .immediate])
        #expect(try classes([19, 21, 19], without) == [.near, .far, .near])
    }

    @Test("where no class has half of the probability it is unknown, and a class that is held needs less")
    func halves() throws {
        // Between 5 and 6 dB wide: hardly any of it is near.
        func settings(_ deviation: Double) -> RangingSettings {
            known {
                $0.nearDistance = 2
                $0.widestInterval = 1e9
                $0.corrections = [BeaconConstraint(uuid: museum): BeaconCorrection(deviation: deviation)]
            }
        }
        #expect(try classes([3], settings(1)) == [.near])
        #expect(try classes([3], settings(10)) == [.unknown])
        // ±3 dB are half of a distribution with a deviation of 4.4 dB.
        #expect(try classes([3], settings(4.3)) == [.near] && classes([3], settings(4.7)) == [.unknown])
    }

    @Test("an interval that is too wide for a class makes it unknown")
    func widest() throws {
        // 1.2816 · 10 dB to either side: a factor of 19.1.
        func settings(_ widest: Double) -> RangingSettings {
            exact {
                $0.shadowingDeviation = 10
                $0.widestInterval = widest
            }
        }
        #expect(try classes([60], settings(18)) == [.unknown] && classes([60], settings(20)) == [.far])
        // One that has no width at all is never too wide.
        #expect(try classes([60], exact { $0.widestInterval = 1.1 }) == [.far])
        // Beyond the greatest distance that is reported, low and high are the same.
        #expect(try classes([105], exact { $0.widestInterval = 1 }) == [.far])
    }

    @Test("a claim's class goes by the middle of the interval, which the bias moves")
    func claimed() throws {
        func settings(_ bias: Double) -> RangingSettings {
            exact {
                $0.immediateDistance = 1
                $0.claimBias = bias
            }
        }
        #expect(try classes([-3], settings(0)) == [.immediate] && classes([-3], settings(10)) == [.near])
        #expect(try classes([1], settings(-2)) == [.immediate])
    }
}
