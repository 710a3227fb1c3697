public import Beacon

/// One beacon as ranging sees it at one instant.
public struct RangedBeacon: Sendable, Hashable {
    /// 1 for the beacon that seems nearest by its level, counting up without gaps.
    public var rank: Int
    /// Who it is.
    public var id: BeaconID
    /// The last reading in dBm; nil where no reading had a level.
    public var rssi: Int8?
    /// The filtered level in dBm; nil where no reading had one.
    public var filteredRSSI: Double?
    /// The level at 1 m in dBm that the beacon claims in its last frame.
    public var measuredPower: Int8
    /// Distance with its interval; nil without a level.
    public var distance: Distance?
    /// Distance class, with hysteresis.
    public var proximity: Proximity
    /// When it was heard last.
    public var lastSeen: Timestamp
    /// Sightings since it entered. The same advertisement at two receivers is two sightings.
    public var count: Int
    /// The receiver that the level is from (`Sighting.scanner`): the one that hears it best; nil without a level.
    public var scanner: UInt16?
    /// The other receivers that hear it lately.
    public var others: OtherReceivers

    /// A beacon with all its values.
    public init(
        rank: Int, id: BeaconID, rssi: Int8?, filteredRSSI: Double?, measuredPower: Int8, distance: Distance?,
        proximity: Proximity, lastSeen: Timestamp, count: Int, scanner: UInt16? = nil,
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
        self.scanner = scanner
        self.others = others
    }
}

/// All beacons that are present at one instant, nearest first, and which of them is the nearest.
public struct Ranking: Sendable, Hashable {
    /// The instant.
    public var time: Timestamp
    /// The nearest beacon; nil where none is. Decided with hysteresis, and with what the past tells about the beacons'
    /// true powers, so it may differ from rank 1, which goes by the level alone.
    public var nearest: BeaconID?
    /// In the order of their ranks. Beacons that have gone quiet come after those that are heard,
    /// and those without any level come last.
    public var beacons: [RangedBeacon]

    /// A ranking of beacons that are already in order.
    public init(time: Timestamp, nearest: BeaconID?, beacons: [RangedBeacon]) {
        self.time = time
        self.nearest = nearest
        self.beacons = beacons
    }
}

/// What changed from one tick to the next.
public enum RangingEvent: Sendable, Hashable {
    /// A beacon is heard that was not present.
    case entered(BeaconID)
    /// A beacon was not heard for its exit time.
    case exited(BeaconID)
    /// Another beacon is the nearest, or none.
    case nearest(BeaconID?, previous: BeaconID?)
    /// A beacon's distance class changed.
    case proximity(BeaconID, Proximity, previous: Proximity)
    /// A region's first beacon entered.
    case regionEntered(BeaconRegion)
    /// A region's last beacon exited. Seconds since it was entered.
    case regionExited(BeaconRegion, after: Double)
    /// A region was not left for its dwell time.
    case regionDwelled(BeaconRegion)
}

/// What ranging did not take as it came.
public struct RangingCounters: Sendable, Hashable {
    /// Sightings that were ignored because they had no time.
    public var withoutTime = 0
    /// Sightings that had no level, and counted as presence only.
    public var withoutRSSI = 0
    /// Beacons that were forgotten because more were heard than are tracked.
    public var forgotten = 0
    /// Sightings that were ignored by the flood rules.
    public var flooded = 0

    /// All zero.
    public init() {}
}
