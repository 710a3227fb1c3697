/// How near a beacon is, in the four classes of Apple's Core Location (`CLProximity`).
package enum Proximity: String, Sendable, Hashable, CaseIterable {
    /// Within reach: up to 0.5 m by default.
    case immediate
    /// In the same place: up to 3 m by default.
    case near
    /// Heard, but beyond.
    case far
    /// Not to be told: no level, one too old, or an interval too wide.
    case unknown
}

extension Proximity {
    /// The class that a distance has with a probability of at least one half, staying in this one until a threshold is
    /// clearly crossed; unknown where none has that much.
    ///
    /// - Parameter isMeasured: the beacon's power was measured, so its distance is the median; a claim is off by too
    ///   much for that, and there the middle of the interval is.
    func next(for distance: Distance, isMeasured: Bool, settings: RangingSettings) -> Proximity {
        guard distance.high <= distance.low * settings.widestInterval else { return .unknown }
        // A border is pushed away from the class that is held.
        let slack = settings.proximityHysteresis
        let inner = settings.immediateDistance * (self == .immediate ? slack : self == .unknown ? 1 : 1 / slack)
        let outer = settings.nearDistance * (self == .far ? 1 / slack : self == .unknown ? 1 : slack)
        // Beyond the median the outer classes have their half.
        let median = isMeasured ? distance.metres : (distance.low * distance.high).squareRoot()
        if median <= inner { return .immediate }
        if median > outer { return .far }
        guard inner > 0, distance.high > distance.low else { return .near }
        let deviation = decimalLogarithm(distance.high / distance.low) / (2 * z90)
        let nearer = normalProbability(below: decimalLogarithm(inner / median) / deviation)
        let within = normalProbability(below: decimalLogarithm(outer / median) / deviation)
        // One that is held is given up for nothing only where it is clearly below.
        return within - nearer >= (self == .near ? 0.45 : 0.5) ? .near : .unknown
    }
}
