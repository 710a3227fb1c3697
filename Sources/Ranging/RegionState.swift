public import Beacon

/// Whether one is inside a region.
public struct RegionState: Sendable, Hashable {
    public var region: BeaconRegion
    /// How many of its beacons are present.
    public var beacons: Int
    /// Since when one is inside; nil for outside.
    public var since: Timestamp?

    public init(region: BeaconRegion, beacons: Int, since: Timestamp?) {
        self.region = region
        self.beacons = beacons
        self.since = since
    }
}

extension Ranger {
    /// All regions of the settings, in their order.
    public var regionStates: [RegionState] { regions.states }

    /// The beacons that are tracked, also those that have exited and are remembered. In no order.
    public var tracked: [BeaconID] { Array(table.ids) }
}

extension RegionMonitor {
    var states: [RegionState] {
        regions.indices.map { index in
            RegionState(
                region: regions[index], beacons: counts[index], since: counts[index] > 0 ? entered[index] : nil)
        }
    }
}
