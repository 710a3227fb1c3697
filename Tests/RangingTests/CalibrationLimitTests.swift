import Beacon
import Ranging
import Testing

@Suite("What a calibration takes in, and what it makes of it")
struct CalibrationLimitTests {
    private func calibration(_ readings: [(metres: Double, rssi: Int8, count: Int)]) -> Calibration {
        var calibration = Calibration()
        for (metres, rssi, count) in readings { for _ in 0..<count { calibration.add(rssi, at: metres) } }
        return calibration
    }

    private func firstPoint(_ calibration: Calibration) throws -> CalibrationPoint {
        try #require(calibration.estimate(claimed: nil)?.points.first)
    }

    @Test("thirty readings are enough, and one less is not")
    func enough() throws {
        #expect(calibration([(1, -60, 29)]).estimate(claimed: nil) == nil)
        #expect(try #require(calibration([(1, -60, 30)]).estimate(claimed: nil)).points.map(\.count) == [30])
        let second = calibration([(1, -60, 40), (4, -70, 29)])
        #expect(try #require(second.estimate(claimed: nil)).points.map(\.metres) == [1])
    }

    @Test(
        "distances from five centimetres to a kilometre are taken",
        arguments: [(0.0499, 0), (0.05, 1), (0.07, 1), (1000, 1), (1000.1, 0), (1500, 0)] as [(Double, Int)])
    func range(metres: Double, count: Int) {
        #expect(calibration([(metres, -60, 1)]).count(at: metres) == count)
    }

    @Test("readings are counted for each distance, up to 4096, at eight distances at most")
    func bounded() {
        let many = calibration([(1, -60, 4095), (2, -70, 3), (1, -61, 10)])
        #expect(many.count(at: 1) == 4096 && many.count(at: 2) == 3 && many.count(at: 3) == 0)
        let nine = calibration((1...9).map { (Double($0), -60, 2) } + [(8, -60, 1)])
        #expect((1...9).map { nine.count(at: Double($0)) } == [2, 2, 2, 2, 2, 2, 2, 3, 0])
    }

    @Test(
        "a receiver's correction is taken up to 255 dB",
        arguments: [(255.0, 255.0), (256, 255), (-255, -255), (-300, -255)])
    func receiver(given: Double, taken: Double) throws {
        var calibration = Calibration(receiverCorrection: given)
        for _ in 0..<30 { calibration.add(-60, at: 1) }
        let power = try #require(calibration.estimate(claimed: nil)).measuredPower
        #expect(abs(power - (-60 + taken)) < 1e-9)
    }

    @Test("the points are told nearest first, whatever was measured first")
    func sorted() throws {
        let estimate = try #require(calibration([(4, -75, 30), (1, -60, 30), (2, -66, 30)]).estimate(claimed: nil))
        #expect(estimate.points.map(\.metres) == [1, 2, 4])
    }

    @Test("two distances give an exponent, one gives none")
    func exponent() throws {
        let two = try #require(calibration([(1, -60, 30), (10, -80, 30)]).estimate(claimed: nil))
        #expect(two.exponent != nil && two.exponentDeviation != nil)
        let one = try #require(calibration([(10, -80, 30)]).estimate(claimed: nil))
        #expect(one.exponent == nil && one.exponentDeviation == nil)
    }

    @Test("ten metres away the uncertain exponent adds ten times its deviation to the power at one metre")
    func away() throws {
        var settings = RangingSettings()
        settings.pathLossExponent = 2.5
        settings.pathLossExponentDeviation = 2
        var calibration = Calibration(settings: settings)
        for _ in 0..<30 { calibration.add(-80, at: 10) }
        let estimate = try #require(calibration.estimate(claimed: nil))
        let point = try #require(estimate.points.first)
        #expect(abs(estimate.measuredPower - -55) < 1e-9)
        #expect(abs(estimate.deviation * estimate.deviation - point.deviation * point.deviation - 400) < 1e-6)
    }

    /// The slope of these points is 3; the site says 2.
    private func exponent(siteDeviation: Double) throws -> Double {
        var settings = RangingSettings()
        settings.pathLossExponent = 2
        settings.pathLossExponentDeviation = siteDeviation
        var calibration = Calibration(settings: settings)
        for _ in 0..<30 { calibration.add(-60, at: 1) }
        for _ in 0..<30 { calibration.add(-90, at: 10) }
        return try #require(calibration.estimate(claimed: nil)?.exponent)
    }

    @Test("a slope counts the more, the less the site is sure of its own, and it is never sure of it")
    func prior() throws {
        let certain = try exponent(siteDeviation: 0)
        let usual = try exponent(siteDeviation: 0.65)
        let open = try exponent(siteDeviation: 5)
        #expect(certain == usual)
        #expect(usual > 2.3 && open > usual + 0.1 && open < 3)
    }

    @Test("the quantiles of readings are those of their order, whatever order they came in")
    func quantiles() throws {
        var calibration = Calibration()
        // -100 to -61, in another order: 7 has no common divisor with 40.
        for step in 0..<40 { calibration.add(Int8(-100 + step * 7 % 40), at: 1) }
        let point = try firstPoint(calibration)
        #expect(point.readings == (-100 ... -61).map { Int8($0) })
        #expect(point.quantiles == [-96, -80, -64])
    }

    @Test("equal readings are their own level, without scatter, as wrong as a spot may be")
    func equal() throws {
        let estimate = try #require(calibration([(1, -60, 100), (10, -60, 100)]).estimate(claimed: nil))
        #expect(estimate.points.map(\.level) == [-60, -60] && estimate.points.map(\.scatter) == [0, 0])
        // Walls and furniture come in between on the way, so that ten metres are less certain.
        let deviations = estimate.points.map(\.deviation)
        #expect(deviations[0] > 1 && deviations[1] > deviations[0] + 1)
    }

    @Test("at one metre, a level without scatter is uncertain by what spots differ: 3 dB")
    func spot() throws {
        let estimate = try #require(calibration([(1, -60, 100)]).estimate(claimed: nil))
        let point = try #require(estimate.points.first)
        #expect(abs(point.deviation - 3) < 1e-6)
    }

    @Test("readings of one and the same scatter have it as theirs, however many there are", arguments: [30, 60, 301])
    func scatter(count: Int) throws {
        var calibration = Calibration()
        for step in 0..<count / 2 * 2 { calibration.add(step % 2 == 0 ? -58 : -62, at: 1) }
        let point = try firstPoint(calibration)
        #expect(abs(point.scatter - 2) < 1e-9)
    }

    @Test("one reading that is far off does not make the scatter, on either side", arguments: [-120, -10] as [Int8])
    func outlier(rssi: Int8) throws {
        var calibration = Calibration()
        for step in 0..<99 { calibration.add(Int8(-60 + step % 5), at: 1) }
        let clean = try firstPoint(calibration)
        calibration.add(rssi, at: 1)
        let point = try firstPoint(calibration)
        #expect(point.scatter < 1.5 * clean.scatter && point.scatter > clean.scatter)
        #expect(abs(point.level - clean.level) < 0.5)
    }

    @Test(
        "of a hundred readings one that is far off counts as four deviations, and above no more than the limit",
        arguments: [
            // Quartiles that are the same count as 1 dB apart: 4 / 1.349 dB.
            ([-60, -60, -60], -100, -60 - 2.965_159), ([-60, -60, -60], -20, -60 + 2.965_159),
            // 8 dB apart: 32 / 1.349 dB, or 12.
            ([-64, -60, -56], -120, -60 - 23.721_275), ([-64, -60, -56], -10, -60 + 12),
        ] as [([Int8], Int8, Double)])
    func cut(levels: [Int8], outlier: Int8, counted: Double) throws {
        var settings = RangingSettings()
        settings.strengthBias = 0
        var calibration = Calibration(settings: settings)
        for step in 0..<99 { calibration.add(levels[step % 3], at: 1) }
        calibration.add(outlier, at: 1)
        let level = try firstPoint(calibration).level
        #expect(abs(level - (99 * -60 + counted) / 100) < 1e-6)
    }

    @Test("every reading counts, from the first to the last")
    func all() throws {
        var settings = RangingSettings()
        settings.strengthBias = 0
        var calibration = Calibration(settings: settings)
        for step in 0..<32 { calibration.add(step < 16 ? -56 : -64, at: 1) }
        #expect(abs(try firstPoint(calibration).level - -60) < 1e-9)
    }

    @Test("a level is the mean power of its readings where the bias is 1, and the mean of dBm where it is 0")
    func bias() throws {
        func level(_ bias: Double) throws -> Double {
            var settings = RangingSettings()
            settings.strengthBias = bias
            var calibration = Calibration(settings: settings)
            for step in 0..<80 { calibration.add(step % 2 == 0 ? -60 : -66, at: 1) }
            return try firstPoint(calibration).level
        }
        #expect(abs(try level(0) - -63) < 1e-9)
        // Half of -60 dBm and half of -66 dBm: 10 · log10((1 + 10^-0.6) / 2) below the stronger.
        #expect(abs(try level(1) - -62.0371) < 0.0001)
        #expect(try level(2) > level(1))
    }

    @Test("a level that drifts is less certain than one that flickers as much")
    func drift() throws {
        var (drifting, flickering) = (Calibration(), Calibration())
        for step in 0..<300 {
            drifting.add(step < 150 ? -56 : -64, at: 1)
            flickering.add(step % 2 == 0 ? -56 : -64, at: 1)
        }
        let points = [drifting, flickering].compactMap { $0.estimate(claimed: nil)?.points.first }
        try #require(points.count == 2)
        #expect(points[0].scatter == points[1].scatter)
        // Ten stretches of which half are 4 dB above, half 4 dB below: their mean is known to 4 / 3 dB.
        let variances = points.map { $0.deviation * $0.deviation }
        #expect(abs(variances[0] - variances[1] - 16.0 / 9) < 1e-6)
    }

    private func estimate(
        power: Double = -60, deviation: Double = 3, exponent: Double? = nil, exponentDeviation: Double? = nil,
        scatter: Double = 3, claimed: Int8? = nil
    ) throws -> CalibrationEstimate {
        var estimate = try #require(calibration([(1, -60, 30)]).estimate(claimed: claimed))
        estimate.measuredPower = power
        estimate.deviation = deviation
        estimate.exponent = exponent
        estimate.exponentDeviation = exponentDeviation
        estimate.points[0].scatter = scatter
        return estimate
    }

    @Test(
        "what to do goes by limits that still are good",
        arguments: [
            (9.0, 3.0, true), (9.1, 3, false), (3, 4, true), (3, 4.1, false),
        ])
    func again(scatter: Double, deviation: Double, isGood: Bool) throws {
        let estimate = try estimate(deviation: deviation, scatter: scatter, claimed: -60)
        #expect(estimate.recommendation == (isGood ? .keep : .measureAgain))
    }

    @Test("a claim that is off by one decibel is kept, and by more is corrected", arguments: [-61.0, -59, -61.1, -58.9])
    func keep(power: Double) throws {
        let isKept = power == -61 || power == -59
        let correction = BeaconCorrection(measuredPower: power, deviation: 3)
        #expect(try estimate(power: power, claimed: -60).recommendation == (isKept ? .keep : .correct(correction)))
        #expect(try estimate(power: power).recommendation == .correct(correction), "nobody knows what is claimed")
    }

    @Test(
        "an exponent is used where it occurs and is known well enough",
        arguments: [
            (0.5, 0.6, true), (6, 0.6, true), (0.49, 0.1, false), (6.01, 0.1, false), (2, 0.61, false), (2, 0, true),
        ])
    func usable(exponent: Double, deviation: Double, isUsable: Bool) throws {
        #expect(try estimate(exponent: exponent, exponentDeviation: deviation).isExponentUsable == isUsable)
        #expect(try !estimate(exponent: exponent).isExponentUsable)
    }

    @Test("the interval holds the power with 80 %: 1.28 deviations to either side")
    func interval() throws {
        let interval = try estimate(power: -60, deviation: 10).interval
        #expect(abs(interval.lowerBound - -72.8155) < 0.001 && abs(interval.upperBound - -47.1845) < 0.001)
        #expect(try estimate(power: -65, claimed: -60).difference == -5)
    }
}
