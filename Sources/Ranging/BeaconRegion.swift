/// A place that is known by its beacons (Core Location's `CLBeaconRegion`): one is inside while any beacon that fits
/// is present.
package struct BeaconRegion: Sendable, Hashable {
    /// Its name, for people and programs.
    package var identifier: String
    /// Whose beacons.
    package var constraint: BeaconConstraint
    /// Seconds inside after which it counts as dwelled in; nil for never.
    package var dwell: Double?

    /// A region of the beacons that fit a constraint.
    package init(identifier: String, constraint: BeaconConstraint, dwell: Double? = nil) {
        self.identifier = identifier
        self.constraint = constraint
        self.dwell = dwell
    }

    var validated: BeaconRegion {
        BeaconRegion(
            identifier: identifier, constraint: constraint, dwell: dwell?.clamped(to: 0...31_536_000))
    }
}
