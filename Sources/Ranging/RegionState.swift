package import Beacon

/// Whether the scanner is inside a region.
package struct RegionState: Sendable, Hashable {
    package var region: BeaconRegion
    /// How many of its beacons are present.
    package var beacons: Int
    /// When the region was entered; nil if outside.
    package var since: Timestamp?
    /// Whether any of its beacons is present.
    package var isInside: Bool { since != nil }

    package init(region: BeaconRegion, beacons: Int, since: Timestamp?) {
        self.region = region
        self.beacons = beacons
        self.since = since
    }
}

extension Ranger {
    /// All regions of the settings, in their order.
    package var regionStates: [RegionState] { regions.states }

    /// The beacons that are tracked, including those that have exited and are remembered. In no order.
    package var tracked: [BeaconID] { Array(table.ids) }
}

extension RegionMonitor {
    var states: [RegionState] {
        regions.indices.map { index in
            RegionState(
                region: regions[index], beacons: counts[index], since: counts[index] > 0 ? entered[index] : nil)
        }
    }
}
