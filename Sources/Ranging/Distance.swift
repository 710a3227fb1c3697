/// A distance in metres, with the interval that contains it with 80 % probability.
package struct Distance: Sendable, Hashable {
    /// The most likely distance, in metres.
    package var metres: Double
    /// The 10 % quantile, in metres.
    package var low: Double
    /// The 90 % quantile, in metres.
    package var high: Double

    /// A distance and its 10–90 % interval, in metres.
    package init(metres: Double, low: Double, high: Double) {
        self.metres = metres
        self.low = low
        self.high = high
    }
}

/// From level to distance by the log-distance path-loss model: level = power at 1 m − 10 · n · log10(metres).
/// (T. S. Rappaport, "Wireless Communications", chapter "Mobile Radio Propagation: Large-Scale Path Loss".)
///
/// The distance comes from the model with the claim and the exponent as they are. The interval comes from an error
/// budget: the random and the mean errors of the level, the spot, the claim and the exponent.
struct PathLoss {
    /// Decades of distance for each dB, by the configured exponent.
    private let decadesPerDecibel: Double
    /// The mean of the same over the exponents that are possible, and its standard deviation.
    private let meanSlope: Double
    private let slopeDeviation: Double
    /// dB² of the measured power, unless a beacon's correction says otherwise.
    let powerVariance: Double
    /// dB by which beacons are received more strongly than they claim, on average, unless a correction says otherwise.
    let claimBias: Double
    /// dB² of the shadowing that more readings do not average out.
    let shadowingVariance: Double

    /// Decades from 1 m to where beacons usually are, and the variance of that.
    private let priorDecades: Double
    private let priorVariance: Double

    init(_ settings: RangingSettings) {
        priorDecades = decimalLogarithm(settings.typicalDistance)
        let priorDeviation = decimalLogarithm(settings.typicalDistanceFactor)
        priorVariance = priorDeviation * priorDeviation
        let exponent = settings.pathLossExponent
        let relative = settings.pathLossExponentDeviation / exponent
        decadesPerDecibel = 1 / (10 * exponent)
        // Distances go with 1 / n, whose mean is above 1 / mean of n (second order of its Taylor series).
        meanSlope = decadesPerDecibel * (1 + relative * relative)
        slopeDeviation = decadesPerDecibel * relative
        powerVariance = settings.measuredPowerDeviation * settings.measuredPowerDeviation
        claimBias = settings.claimBias
        shadowingVariance = settings.shadowingDeviation * settings.shadowingDeviation
    }

    /// The distance that follows from a level.
    ///
    /// - Parameters:
    ///   - loss: dB from 1 m on.
    ///   - levelVariance: dB² of the level.
    ///   - power: what is known of the measured power.
    func distance(loss: Double, levelVariance: Double, powerVariance: Double, bias: Double) -> Distance {
        let decades = loss * decadesPerDecibel
        // The exponent's error grows with the distance from the reference at 1 m, on either side.
        let fromExponent = (loss + bias) * slopeDeviation
        let fromLevel = (levelVariance + powerVariance + shadowingVariance) * meanSlope * meanSlope
        let variance = fromLevel + fromExponent * fromExponent
        // The level's distance, weighted against the usual one (the posterior of two normal distributions).
        let weight = priorVariance / (priorVariance + variance)
        let centre = weight * (loss + bias) * meanSlope + (1 - weight) * priorDecades
        let spread = z90 * (weight * variance).squareRoot()
        return Distance(
            metres: Self.metres(decades), low: Self.metres(min(decades, centre - spread)),
            high: Self.metres(max(decades, centre + spread)))
    }

    /// Limited to 1 mm to 10 km: no beacon is received from farther away.
    private static func metres(_ decades: Double) -> Double {
        powerOfTen(decades.clamped(to: -3...4))
    }
}

extension PathLoss {
    /// The distance of a beacon; nil without a level.
    func distance(of standing: Standing) -> Distance? {
        standing.level.map {
            distance(
                loss: standing.loss, levelVariance: $0.variance, powerVariance: standing.powerVariance,
                bias: standing.bias)
        }
    }
}
