/// Collects readings at known distances, and computes a beacon's true power at 1 m and the site's path-loss exponent.
///
/// Stand at 1 m, turn around slowly for half a minute, then optionally go to two or three further distances.
package struct Calibration: Sendable {
    /// Readings that a distance needs before it is used.
    package static let minimumReadings = 30
    /// Readings kept for each distance, and distances kept.
    static let readingLimit = 4096
    static let distanceLimit = 8
    /// Standard deviation, in dB, of the level from one spot to the spots around it, which longer measuring does not
    /// reduce: reflections make standing waves.
    static let spotDeviation = 3.0
    /// How much this grows with the distance beyond 1 m, as walls and furniture come in between: dB for each dB of
    /// 10 · log10(metres).
    static let spotGrowth = 0.4

    private let settings: RangingSettings
    private let receiverCorrection: Double
    private var spots: [Spot] = []

    /// Readings at one distance, in their order.
    private struct Spot {
        var metres: Double
        var readings: [Int8] = []
    }

    /// A calibration without readings.
    ///
    /// - Parameter receiverCorrection: dB added to the receiver's readings, so that the result holds for other
    ///   receivers too.
    package init(settings: RangingSettings = .init(), receiverCorrection: Double = 0) {
        self.settings = settings.validated
        self.receiverCorrection = receiverCorrection.clamped(to: -255...255)
    }

    /// Adds a reading in dBm at a distance in metres. A ninth distance, or one outside 0.05 to 1000 m, is ignored.
    package mutating func add(_ rssi: Int8, at metres: Double) {
        guard metres >= 0.05, metres <= 1000 else { return }
        let index: Int
        if let known = spots.firstIndex(where: { $0.metres == metres }) {
            index = known
        } else {
            guard spots.count < Self.distanceLimit else { return }
            index = spots.count
            spots.append(Spot(metres: metres))
        }
        if spots[index].readings.count < Self.readingLimit {
            spots[index].readings.append(rssi)
        }
    }

    /// Readings at a distance so far.
    package func count(at metres: Double) -> Int {
        spots.first { $0.metres == metres }?.readings.count ?? 0
    }

    /// The result so far; nil while no distance has enough readings.
    ///
    /// - Parameter claimed: dBm at 1 m that the beacon's frame claims.
    package func estimate(claimed: Int8?) -> CalibrationEstimate? {
        let points = spots.filter { $0.readings.count >= Self.minimumReadings }
            .sorted { $0.metres < $1.metres }
            .map { spot in
                var point = CalibrationPoint(metres: spot.metres, readings: spot.readings, settings: settings)
                point.level += receiverCorrection
                return point
            }
        guard !points.isEmpty else { return nil }
        let line = CalibrationLine(points, settings: settings)
        return CalibrationEstimate(
            points: points, measuredPower: line.power, deviation: line.powerVariance.squareRoot(),
            exponent: line.exponent, exponentDeviation: line.exponentVariance.map { $0.squareRoot() },
            claimed: claimed)
    }
}

/// Level against distance: level = power − exponent · x, x = 10 · log10(metres), with a prior for the exponent.
///
/// All points count, each weighted by its precision. If they say little about the exponent, the site's setting prevails
/// (linear regression with a normal prior: A. Gelman et al., "Bayesian Data Analysis", chapter 14).
private struct CalibrationLine {
    /// dBm at 1 m, with its variance in dB².
    var power: Double
    var powerVariance: Double
    /// Nil where there is only one distance.
    var exponent: Double?
    var exponentVariance: Double?

    init(_ points: [CalibrationPoint], settings: RangingSettings) {
        // Exponents of rooms differ from any guess by this much (halls have 0.4 to 2.8), so measured slopes must count.
        let prior = max(0.8, settings.pathLossExponentDeviation)
        let priorWeight = 1 / (prior * prior)
        var (weight, sumX, sumY) = (0.0, 0.0, 0.0)
        var (sumXX, sumXY) = (priorWeight, -priorWeight * settings.pathLossExponent)
        for point in points {
            let x = 10 * decimalLogarithm(point.metres)
            let w = 1 / (point.deviation * point.deviation)
            weight += w
            sumX += w * x
            sumY += w * point.level
            sumXX += w * x * x
            sumXY += w * x * point.level
        }
        let determinant = weight * sumXX - sumX * sumX
        power = (sumXX * sumY - sumX * sumXY) / determinant
        powerVariance = sumXX / determinant
        if points.count > 1 {
            exponent = -(weight * sumXY - sumX * sumY) / determinant
            exponentVariance = weight / determinant
        }
    }
}
