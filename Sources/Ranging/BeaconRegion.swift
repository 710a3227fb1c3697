/// A place that is known by its beacons (Core Location's `CLBeaconRegion`): one is inside while any beacon that fits
/// is present.
public struct BeaconRegion: Sendable, Hashable {
    /// Its name, for people and programs.
    public var identifier: String
    /// Whose beacons.
    public var constraint: BeaconConstraint
    /// Seconds inside after which it counts as dwelled in; nil for never.
    public var dwell: Double?

    /// A region of the beacons that fit a constraint.
    public init(identifier: String, constraint: BeaconConstraint, dwell: Double? = nil) {
        self.identifier = identifier
        self.constraint = constraint
        self.dwell = dwell
    }

    var validated: BeaconRegion {
        BeaconRegion(
            identifier: identifier, constraint: constraint, dwell: dwell?.clamped(to: 0...31_536_000))
    }
}
