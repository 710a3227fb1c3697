/// A distance in metres with the interval that holds it with 80 % probability.
public struct Distance: Sendable, Hashable {
    /// The most likely distance, in metres.
    public var metres: Double
    /// The 10 % quantile, in metres.
    public var low: Double
    /// The 90 % quantile, in metres.
    public var high: Double

    /// A distance and its 10–90 % interval, in metres.
    public init(metres: Double, low: Double, high: Double) {
        self.metres = metres
        self.low = low
        self.high = high
    }
}

/// From level to distance by the log-distance path-loss model: level = power at 1 m − 10 · n · log10(metres).
/// (T. S. Rappaport, "Wireless Communications", chapter "Mobile Radio Propagation: Large-Scale Path Loss".)
struct PathLoss {
    let exponent: Double
    let exponentDeviation: Double
    /// dB² of the measured power, where a beacon's correction does not say.
    let powerVariance: Double
    /// dB² of what readings do not average out.
    let shadowingVariance: Double

    init(_ settings: RangingSettings) {
        exponent = settings.pathLossExponent
        exponentDeviation = settings.pathLossExponentDeviation
        powerVariance = settings.measuredPowerDeviation * settings.measuredPowerDeviation
        shadowingVariance = settings.shadowingDeviation * settings.shadowingDeviation
    }

    /// The distance for a loss in dB from 1 m on, with the variance in dB² of all that it comes from.
    func distance(loss: Double, variance: Double) -> Distance {
        let decades = loss / (10 * exponent)
        // The exponent's error grows with the distance from the reference at 1 m, on either side.
        let fromExponent = decades * exponentDeviation / exponent
        let deviation = variance.squareRoot() / (10 * exponent)
        let spread = z90 * (deviation * deviation + fromExponent * fromExponent).squareRoot()
        return Distance(
            metres: Self.metres(decades), low: Self.metres(decades - spread), high: Self.metres(decades + spread))
    }

    /// No beacon is heard from farther than 10 km, and none is nearer than 1 mm.
    private static func metres(_ decades: Double) -> Double {
        powerOfTen(decades.clamped(to: -3...4))
    }
}
