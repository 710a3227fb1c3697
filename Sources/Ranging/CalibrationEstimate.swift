/// The level at one distance, from all readings there.
package struct CalibrationPoint: Sendable, Hashable {
    /// The distance in metres.
    package var metres: Double
    /// dBm: the level filter's mean between dB and power, with outliers cut on both sides.
    package var level: Double
    /// Standard deviation of the level, in dB: from scatter, correlation and the choice of the spot.
    package var deviation: Double
    /// Standard deviation of a single reading, in dB, outliers cut.
    package var scatter: Double
    /// The number of readings.
    package var count: Int
    /// The 10 %, 50 % and 90 % quantiles of the readings, in dBm, for a plot.
    package var quantiles: [Int8]
    /// dBm, every reading, weakest first.
    package var readings: [Int8]

    init(metres: Double, readings: [Int8], settings: RangingSettings) {
        self.metres = metres
        count = readings.count
        let sorted = readings.sorted()
        self.readings = sorted
        func quantile(_ share: Double) -> Int8 {
            sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
        }
        quantiles = [quantile(0.1), quantile(0.5), quantile(0.9)]
        let median = Double(quantile(0.5))
        // The quartiles of a normal distribution are 1.349 deviations apart; integers need a floor of one.
        let robust = max(1, Double(quantile(0.75)) - Double(quantile(0.25))) / 1.349
        let limits = median - 4 * robust...median + min(settings.outlierLimit, 4 * robust)

        let values = readings.map { Double($0).clamped(to: limits) }
        // As many readings at a time as the level filter has for most beacons: the weight of strong readings depends on
        // it.
        let starts = stride(from: 0, to: values.count - Self.windowReadings + 1, by: Self.windowReadings)
        let windows = starts.map { Self.biasedMean(values[$0..<$0 + Self.windowReadings], median, settings) }
        let level = windows.reduce(0, +) / Double(windows.count)
        self.level = level
        let mean = values.reduce(0, +) / Double(values.count)
        scatter = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()

        // Successive readings are correlated. So the precision of the whole comes from the scatter of the means of ten
        // stretches, not from that of single readings.
        let stretches = 10
        let means = (0..<stretches).map { index in
            let range = index * values.count / stretches..<(index + 1) * values.count / stretches
            return Self.biasedMean(values[range], median, settings)
        }
        let ofMeans = means.reduce(0, +) / Double(stretches)
        let squares = means.reduce(0) { $0 + ($1 - ofMeans) * ($1 - ofMeans) }
        let ofMean = squares / Double(stretches - 1) / Double(stretches)
        let growth = Calibration.spotGrowth * 10 * decimalLogarithm(metres)
        deviation = (ofMean + Calibration.spotDeviation * Calibration.spotDeviation + growth * growth).squareRoot()
    }

    /// Readings in a window of the level filter: 2 s of two a second.
    private static let windowReadings = 4

    private static func biasedMean(
        _ values: ArraySlice<Double>, _ median: Double, _ settings: RangingSettings
    ) -> Double {
        let number = Double(values.count)
        let bias = settings.strengthBias * naturalLogarithmOfTen / 10
        guard bias > 1e-6 else { return values.reduce(0, +) / number }
        let sum = values.reduce(0) { $0 + exponential(bias * ($1 - median)) }
        return median + logarithm(sum / number) / bias
    }
}

/// The result of a calibration.
package struct CalibrationEstimate: Sendable, Hashable {
    /// What to do with it.
    package enum Recommendation: Sendable, Hashable {
        /// The beacon's claim is as good as the measurement.
        case keep
        /// Set the beacon's measured power: the correction for the configuration.
        case correct(BeaconCorrection)
        /// The level wandered too much: repeat with a clear view of the beacon, turning slowly.
        case measureAgain
    }

    /// Each distance, nearest first.
    package var points: [CalibrationPoint]
    /// dBm at 1 m.
    package var measuredPower: Double
    /// Standard deviation of the measured power, in dB.
    package var deviation: Double
    /// Path-loss exponent; nil where there is only one distance.
    package var exponent: Double?
    /// Standard deviation of the exponent.
    package var exponentDeviation: Double?
    /// dBm at 1 m that the beacon claims; nil if unknown.
    package var claimed: Int8?

    /// dBm at 1 m: the measured power is inside with 80 % probability.
    package var interval: ClosedRange<Double> {
        measuredPower - z90 * deviation...measuredPower + z90 * deviation
    }

    /// dB by which the beacon is stronger than it claims; nil if its claim is unknown.
    package var difference: Double? { claimed.map { measuredPower - Double($0) } }

    /// Whether the exponent is plausible and precise enough to be written into the configuration.
    package var isExponentUsable: Bool {
        guard let exponent, let exponentDeviation else { return false }
        return Self.exponents.contains(exponent) && exponentDeviation <= 0.6
    }

    /// Plausible path-loss exponents (ITU-R P.1238, corridors to several floors).
    package static let exponents = 0.5...6

    /// dB by which a claim may be off and still be as good as a measurement.
    static let negligibleDifference = 1.0

    /// What to do with it.
    package var recommendation: Recommendation {
        // More scatter than fading and a hand can cause, or a distance that is uncertain by more than a factor of 1.4.
        if points.contains(where: { $0.scatter > 9 }) || deviation > 4 { return .measureAgain }
        if let difference, difference.magnitude <= Self.negligibleDifference { return .keep }
        return .correct(BeaconCorrection(measuredPower: measuredPower, deviation: deviation))
    }
}
