/// How near a beacon is, in the four classes of Apple's Core Location (`CLProximity`).
public enum Proximity: String, Sendable, Hashable, CaseIterable {
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
    /// The class of `distance`, staying in this one until a threshold is clearly crossed.
    func next(for distance: Distance, settings: RangingSettings) -> Proximity {
        guard distance.high <= distance.low * settings.widestInterval else { return .unknown }
        // A border is pushed away from the class that is held.
        let slack = settings.proximityHysteresis
        let inner = settings.immediateDistance * (self == .immediate ? slack : self == .unknown ? 1 : 1 / slack)
        let outer = settings.nearDistance * (self == .far ? 1 / slack : self == .unknown ? 1 : slack)
        return distance.metres <= inner ? .immediate : distance.metres <= outer ? .near : .far
    }
}
