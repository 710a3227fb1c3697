public import Beacon

/// What happened in a span of time.
public struct HistoryReport: Sendable, Hashable {
    /// Where from: the sources as they are written, or the host whose history it is.
    public var sources: [String] = []
    /// The span; nil where nothing was heard and none was asked for.
    public var span: ClosedRange<Timestamp>?
    /// Seconds that each element of a series stands for. All beacons' series have the same.
    public var bucketSeconds = 1.0
    /// Sightings in it.
    public var count = 0
    /// The span cuts intervals. Of their sightings so many are counted as the share of the time says.
    public var isAbout = false
    /// Sightings that are not in it because they had no time.
    public var withoutTime = 0
    /// Sightings that are not in it because they were of more beacons than are tracked, or left out by the flood rules.
    public var dropped = 0
    /// Whether there was anybody to hear.
    public var scanner = ScannerHistory()
    /// The beacons, longest dwell first.
    public var beacons: [BeaconHistory] = []
    /// The regions, longest dwell first.
    public var regions: [RegionHistory] = []
    /// From one nearest beacon to the next, the most frequent first.
    public var transitions: [Transition] = []
    /// What came of syncing content.
    public var content = ContentHistory()

    /// A report of nothing.
    public init() {}
}

/// When the scanner could hear.
public struct ScannerHistory: Sendable, Hashable {
    /// Times for which it recorded, in order.
    public var recording: [ClosedRange<Timestamp>] = []
    /// Times for which it could not hear, in order.
    public var blind: [ClosedRange<Timestamp>] = []

    /// Nothing recorded.
    public init() {}

    /// Seconds recorded.
    public var recordedSeconds: Double { recording.seconds }
    /// Seconds blind.
    public var blindSeconds: Double { blind.seconds }
}

/// How often somebody came, and how long they stayed.
public struct VisitHistory: Sendable, Hashable {
    /// Each visit, in order, as far as it lies in the report's span.
    public var visits: [ClosedRange<Timestamp>] = []
    /// Visits by the hour of the day in which they began, from 0 to 23.
    public var byHour = [Int](repeating: 0, count: 24)

    /// No visits.
    public init() {}

    /// Seconds of all visits.
    public var seconds: Double { visits.seconds }
    /// Half of the visits were not longer, in seconds; nil without any.
    public var medianSeconds: Double? {
        let lengths = visits.map(\.seconds).sorted()
        return lengths.isEmpty ? nil : lengths[(lengths.count - 1) / 2]
    }
    /// The longest visit in seconds; nil without any.
    public var longestSeconds: Double? { visits.map(\.seconds).max() }
}

/// What was heard of one beacon.
public struct BeaconHistory: Sendable, Hashable {
    /// Who it is.
    public var id: BeaconID
    /// What people call it; nil where it has no name.
    public var name: String?
    /// dBm at 1 m, as its last frame claims.
    public var measuredPower: Int8 = 0
    /// The first sighting.
    public var firstSeen: Timestamp
    /// The last sighting.
    public var lastSeen: Timestamp
    /// Sightings, those without a level included.
    public var count = 0
    /// From its first sighting to the last before a silence longer than its exit time, each time.
    public var visits = VisitHistory()
    /// When it was the nearest.
    public var nearest = VisitHistory()
    /// Of the time for which any beacon was the nearest, the share for which it was this one; nil where none was.
    public var nearestShare: Double?
    /// Quantiles of the readings; nil where none had a level.
    public var rssi: RSSIQuantiles?
    /// Quantiles of the filtered distance over the time present, in metres; nil where there was none.
    public var distance: DistanceQuantiles?
    /// Over time; empty where it was not heard in the span.
    public var series: [BeaconBucket] = []

    init(id: BeaconID, at time: Timestamp) {
        self.id = id
        firstSeen = time
        lastSeen = time
    }
}

/// A piece of a beacon's time.
public struct BeaconBucket: Sendable, Hashable {
    /// Sightings.
    public var count = 0
    /// Readings in dBm: a tenth, half and nine tenths of them are not stronger; nil where none had a level.
    public var levels: (low: Int8, median: Int8, high: Int8)?
    /// The median of the filtered distance, and the mean interval that holds it in 8 of 10 cases, in metres.
    public var distance: (low: Double, median: Double, high: Double)?

    public static func == (left: BeaconBucket, right: BeaconBucket) -> Bool {
        left.count == right.count
            && left.levels.map { [$0.low, $0.median, $0.high] } == right.levels.map { [$0.low, $0.median, $0.high] }
            && left.distance.map { [$0.low, $0.median, $0.high] } == right.distance.map { [$0.low, $0.median, $0.high] }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(levels?.median)
        hasher.combine(distance?.median)
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

/// When a region was entered and left.
public struct RegionHistory: Sendable, Hashable {
    /// Its name.
    public var name: String
    public var visits = VisitHistory()

    init(name: String) {
        self.name = name
    }
}

/// That one beacon was the nearest, and then another.
public struct Transition: Sendable, Hashable {
    public var from: BeaconID
    public var to: BeaconID
    /// How often.
    public var count: Int

    public init(from: BeaconID, to: BeaconID, count: Int) {
        self.from = from
        self.to = to
        self.count = count
    }
}

/// What came of syncing content.
public struct ContentHistory: Sendable, Hashable {
    /// By beacon; nil for what is shown where none is near.
    public var beacons: [Entry] = []
    /// Of the site's list, the last ones, the newest last.
    public var site: [SyncResult] = []

    /// What came of one beacon's syncs.
    public struct Entry: Sendable, Hashable {
        public var beacon: BeaconID?
        public var name: String?
        /// Syncs after which everything was there.
        public var ready = 0
        /// Syncs that found that the site has nothing.
        public var nothing = 0
        /// Syncs that failed.
        public var failed = 0
        /// Times for which the site could not be reached.
        public var waiting = 0
        /// Octets fetched.
        public var fetchedBytes: Int64 = 0
        /// The last problem, and when.
        public var lastProblem: String?
        public var lastProblemTime: Timestamp?
    }

    /// Nothing synced.
    public init() {}
}

/// What came of one sync.
public struct SyncResult: Sendable, Hashable {
    /// How it ended.
    public enum Outcome: String, Sendable, Hashable {
        case ready, nothing, failed, waiting
        /// Something about the whole site, which `text` tells.
        case site
    }

    public var time: Timestamp
    public var beacon: BeaconID?
    public var outcome: Outcome
    /// Octets fetched.
    public var fetchedBytes: Int64
    /// What the problem was, or what is told of the site.
    public var text: String?

    public init(
        time: Timestamp, beacon: BeaconID? = nil, outcome: Outcome, fetchedBytes: Int64 = 0, text: String? = nil
    ) {
        self.time = time
        self.beacon = beacon
        self.outcome = outcome
        self.fetchedBytes = fetchedBytes
        self.text = text
    }
}

extension ClosedRange<Timestamp> {
    /// Seconds from its beginning to its end.
    var seconds: Double { upperBound.elapsed(since: lowerBound) }
}

extension [ClosedRange<Timestamp>] {
    /// Seconds of all of them.
    var seconds: Double { reduce(0) { $0 + $1.seconds } }
}
