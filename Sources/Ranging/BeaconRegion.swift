/// A region that is defined by its beacons, like Core Location's `CLBeaconRegion`. The scanner is inside while any
/// beacon that satisfies the constraint is present.
package struct BeaconRegion: Sendable, Hashable {
    /// Its name, for people and programs.
    package var identifier: String
    /// The beacons that belong to it.
    package var constraint: BeaconConstraint
    /// Seconds inside after which a dwell event follows; nil for never.
    package var dwell: Double?

    /// A region of the beacons that satisfy a constraint.
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
