package import Beacon

/// One beacon as ranging sees it at one instant.
package struct RangedBeacon: Sendable, Hashable {
    /// 1 for the beacon that seems nearest by its level, counting up without gaps.
    package var rank: Int
    /// Its identity.
    package var id: BeaconID
    /// The last reading in dBm; nil if no sighting had one.
    package var rssi: Int8?
    /// The filtered level in dBm; nil if no sighting had a reading.
    package var filteredRSSI: Double?
    /// The level at 1 m in dBm that the beacon claims in its last frame.
    package var measuredPower: Int8
    /// Distance with its interval; nil without a level.
    package var distance: Distance?
    /// Distance class, with hysteresis.
    package var proximity: Proximity
    /// When it was last received.
    package var lastSeen: Timestamp
    /// Sightings since it entered. The same advertisement at two receivers is two sightings.
    package var count: Int
    /// The receiver that the level is from (`Sighting.source`): the one that receives it best; nil without a level.
    package var source: SourceID?
    /// The other receivers that have received it recently.
    package var others: OtherReceivers

    /// A beacon with all its values.
    package init(
        rank: Int, id: BeaconID, rssi: Int8?, filteredRSSI: Double?, measuredPower: Int8, distance: Distance?,
        proximity: Proximity, lastSeen: Timestamp, count: Int, source: SourceID? = nil,
        others: OtherReceivers = .init()
    ) {
        self.rank = rank
        self.id = id
        self.rssi = rssi
        self.filteredRSSI = filteredRSSI
        self.measuredPower = measuredPower
        self.distance = distance
        self.proximity = proximity
        self.lastSeen = lastSeen
        self.count = count
        self.source = source
        self.others = others
    }
}

/// All beacons that are present at one instant, nearest first, and which of them is the nearest.
package struct Ranking: Sendable, Hashable {
    /// The instant.
    package var time: Timestamp
    /// The nearest beacon; nil if there is none. It is decided with hysteresis, and with what was learned about the
    /// beacons' true powers. So it may differ from rank 1, which depends on the level alone.
    package var nearest: BeaconID?
    /// In the order of their ranks. Beacons that have gone quiet come after those that are received, and those without
    /// any level come last.
    package var beacons: [RangedBeacon]

    /// A ranking of beacons that are already in order.
    package init(time: Timestamp, nearest: BeaconID?, beacons: [RangedBeacon]) {
        self.time = time
        self.nearest = nearest
        self.beacons = beacons
    }
}

/// What changed from one tick to the next.
package enum RangingEvent: Sendable, Hashable {
    /// A beacon was received that was not present.
    case entered(BeaconID)
    /// A beacon was not received for its exit time.
    case exited(BeaconID)
    /// Another beacon is the nearest, or none.
    case nearest(BeaconID?, previous: BeaconID?)
    /// A beacon's distance class changed.
    case proximity(BeaconID, Proximity, previous: Proximity)
    /// A region's first beacon entered.
    case regionEntered(BeaconRegion)
    /// A region's last beacon exited, so many seconds after the region was entered.
    case regionExited(BeaconRegion, after: Double)
    /// The scanner has been inside a region for its dwell time.
    case regionDwelled(BeaconRegion)
}

/// Counts of sightings that were ignored or incomplete, and of beacons that were forgotten.
package struct RangingCounters: Sendable, Hashable {
    /// Sightings that were ignored because they had no time.
    package var withoutTime = 0
    /// Sightings that had no level, and counted as presence only.
    package var withoutRSSI = 0
    /// Beacons that were forgotten because more were received than are tracked.
    package var forgotten = 0
    /// Sightings that were ignored by the flood rules.
    package var flooded = 0

    /// All zero.
    package init() {}
}
