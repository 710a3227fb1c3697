/// How near a beacon is, in the four classes of Apple's Core Location (`CLProximity`).
package enum Proximity: String, Sendable, Hashable, CaseIterable {
    /// Within reach: up to 0.5 m by default.
    case immediate
    /// In the same place: up to 3 m by default.
    case near
    /// Received, but farther away.
    case far
    /// Cannot be determined: there is no level, it is too old, or the interval is too wide.
    case unknown
}

extension Proximity {
    /// The class that a distance has with a probability of at least one half; unknown if no class reaches that. It
    /// stays in this class until a threshold is clearly crossed.
    ///
    /// - Parameter isMeasured: whether the beacon's power was calibrated. If so, the median is its distance. A claimed
    ///   power is too inaccurate for that, so the geometric middle of the interval is used.
    func next(for distance: Distance, isMeasured: Bool, settings: RangingSettings) -> Proximity {
        guard distance.high <= distance.low * settings.widestInterval else { return .unknown }
        // A threshold is moved away from the current class.
        let slack = settings.proximityHysteresis
        let inner = settings.immediateDistance * (self == .immediate ? slack : self == .unknown ? 1 : 1 / slack)
        let outer = settings.nearDistance * (self == .far ? 1 / slack : self == .unknown ? 1 : slack)
        // The class on the far side of the median has a probability of at least one half.
        let median = isMeasured ? distance.metres : (distance.low * distance.high).squareRoot()
        if median <= inner { return .immediate }
        if median > outer { return .far }
        guard inner > 0, distance.high > distance.low else { return .near }
        let deviation = decimalLogarithm(distance.high / distance.low) / (2 * z90)
        let nearer = normalProbability(below: decimalLogarithm(inner / median) / deviation)
        let within = normalProbability(below: decimalLogarithm(outer / median) / deviation)
        // The current class becomes unknown only if its probability is clearly below one half.
        return within - nearer >= (self == .near ? 0.45 : 0.5) ? .near : .unknown
    }
}
