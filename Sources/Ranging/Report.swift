public import Beacon

/// What was heard over the whole of a source.
public struct Report: Sendable, Hashable {
    /// The first sighting of any beacon; nil where there was none.
    public var firstTime: Timestamp?
    /// The last sighting of any beacon; nil where there was none.
    public var lastTime: Timestamp?
    /// Sightings in it.
    public var count: Int
    /// Sightings that are not in it because they had no time.
    public var withoutTime: Int
    /// Sightings that are not in it because they were of more beacons than are tracked.
    public var dropped: Int
    /// The beacons, longest dwell first.
    public var beacons: [BeaconReport]

    /// A report with all its values.
    public init(
        firstTime: Timestamp?, lastTime: Timestamp?, count: Int, withoutTime: Int, dropped: Int,
        beacons: [BeaconReport]
    ) {
        self.firstTime = firstTime
        self.lastTime = lastTime
        self.count = count
        self.withoutTime = withoutTime
        self.dropped = dropped
        self.beacons = beacons
    }
}

/// What was heard of one beacon.
public struct BeaconReport: Sendable, Hashable {
    /// Who it is.
    public var id: BeaconID
    /// dBm at 1 m, as its last frame claims.
    public var measuredPower: Int8
    /// The first sighting.
    public var firstSeen: Timestamp
    /// The last sighting.
    public var lastSeen: Timestamp
    /// Seconds present. Silences longer than its exit time do not count.
    public var dwell: Double
    /// How often it came: one more than the silences longer than its exit time.
    public var visits: Int
    /// Sightings, those without a level included.
    public var count: Int
    /// Quantiles of the readings; nil where none had a level.
    public var rssi: RSSIQuantiles?
    /// Quantiles of the distances, reading by reading, in metres; nil where none had a level.
    public var distance: DistanceQuantiles?
    /// Sightings over time; all beacons of a report have the same buckets.
    public var presence: Presence

    /// A beacon's part of a report with all its values.
    public init(
        id: BeaconID, measuredPower: Int8, firstSeen: Timestamp, lastSeen: Timestamp, dwell: Double, visits: Int,
        count: Int, rssi: RSSIQuantiles?, distance: DistanceQuantiles?, presence: Presence
    ) {
        self.id = id
        self.measuredPower = measuredPower
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.dwell = dwell
        self.visits = visits
        self.count = count
        self.rssi = rssi
        self.distance = distance
        self.presence = presence
    }
}

/// Readings in dBm below or at which that share of all readings lies.
public struct RSSIQuantiles: Sendable, Hashable {
    /// The weakest reading, in dBm.
    public var min: Int8
    /// A tenth of the readings is not stronger, in dBm.
    public var p10: Int8
    /// Half of the readings are not stronger, in dBm.
    public var median: Int8
    /// Nine tenths of the readings are not stronger, in dBm.
    public var p90: Int8
    /// The strongest reading, in dBm.
    public var max: Int8

    /// Quantiles in rising order.
    public init(min: Int8, p10: Int8, median: Int8, p90: Int8, max: Int8) {
        self.min = min
        self.p10 = p10
        self.median = median
        self.p90 = p90
        self.max = max
    }
}

/// Distances in metres below or at which that share of all distances lies.
public struct DistanceQuantiles: Sendable, Hashable {
    /// A tenth of the distances is not greater, in metres.
    public var p10: Double
    /// Half of the distances are not greater, in metres.
    public var median: Double
    /// Nine tenths of the distances are not greater, in metres.
    public var p90: Double

    /// Quantiles in rising order.
    public init(p10: Double, median: Double, p90: Double) {
        self.p10 = p10
        self.median = median
        self.p90 = p90
    }
}

/// Sightings over time, in equal buckets.
public struct Presence: Sendable, Hashable {
    /// Where the first bucket begins.
    public var start: Timestamp
    /// Seconds that each bucket holds.
    public var bucketSeconds: Double
    /// Sightings in each bucket.
    public var counts: [Int]

    /// Counts from `start` on.
    public init(start: Timestamp, bucketSeconds: Double, counts: [Int]) {
        self.start = start
        self.bucketSeconds = bucketSeconds
        self.counts = counts
    }
}
