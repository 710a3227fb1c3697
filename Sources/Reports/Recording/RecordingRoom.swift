package import Beacon
package import Ranging

/// Decides which beacons have room in an interval. Known beacons always have room. The number of unknown ones is
/// limited, because anybody can send any number of them.
package struct RecordingRoom: Sendable {
    /// Beacons with a name, and those recorded before.
    package var known: Set<BeaconID>
    /// Beacons in these regions have a limit of their own.
    package var regions: [BeaconRegion]
    /// The limit for unknown beacons in an interval. It applies three times: to the first that come, to further ones in
    /// a region, and to further ones received many times.
    package var unknown: Int

    /// A beacon with this many sightings is not a forgery that is sent once.
    static let steadyCount = 20

    package init(known: Set<BeaconID> = [], regions: [BeaconRegion] = [], unknown: Int = 1000) {
        self.known = known
        self.regions = regions
        self.unknown = max(0, unknown)
    }

    /// The number of beacons admitted so far, by limit.
    struct Taken: Sendable {
        var passing = 0
        var inRegions = 0
        var steady = 0
    }

    /// Admits a beacon and counts it; returns false if its limits are reached.
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
