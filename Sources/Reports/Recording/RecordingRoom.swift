package import Beacon
package import Ranging

/// Which beacons have room in an interval. Who is known always has; of the others, which anybody can put on the air in
/// any number, only so many have.
package struct RecordingRoom: Sendable {
    /// Beacons with a name or a past.
    package var known: Set<BeaconID>
    /// Beacons in these regions have places of their own.
    package var regions: [BeaconRegion]
    /// Unknown beacons in an interval: so many as they come, so many more that are in a region, and so many more that
    /// were heard again and again.
    package var unknown: Int

    /// A beacon that was heard so often is no forgery that is sent once.
    static let steadyCount = 20

    package init(known: Set<BeaconID> = [], regions: [BeaconRegion] = [], unknown: Int = 1000) {
        self.known = known
        self.regions = regions
        self.unknown = max(0, unknown)
    }

    /// Places that are taken.
    struct Taken: Sendable {
        var passing = 0
        var inRegions = 0
        var steady = 0
    }

    /// Takes a place; false where there is none.
    func admits(_ id: BeaconID, isSteady: Bool, _ taken: inout Taken) -> Bool {
        if known.contains(id) { return true }
        if taken.passing < unknown {
            taken.passing += 1
        } else if isSteady, taken.steady < unknown {
            taken.steady += 1
        } else if taken.inRegions < unknown, regions.contains(where: { $0.constraint.matches(id) }) {
            taken.inRegions += 1
        } else {
            return false
        }
        return true
    }
}
