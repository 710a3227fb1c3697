package import Beacon

/// What happened in a span of time.
package struct HistoryReport: Sendable, Hashable {
    /// Where from: the sources as they are written, or the host whose history it is.
    package var sources: [String] = []
    /// The span; nil where nothing was heard and none was asked for.
    package var span: ClosedRange<Timestamp>?
    /// Seconds that each element of a series stands for. All beacons' series have the same.
    package var bucketSeconds = 1.0
    /// Sightings in it.
    package var count = 0
    /// The span cuts intervals. Of their sightings so many are counted as the share of the time says.
    package var isAbout = false
    /// Sightings that are not in it because they had no time.
    package var withoutTime = 0
    /// Sightings that are not in it because they were of more beacons than are tracked, or left out by the flood rules.
    package var dropped = 0
    /// Whether there was anybody to hear.
    package var scanner = ScannerHistory()
    /// The beacons, longest dwell first.
    package var beacons: [BeaconHistory] = []
    /// The regions, longest dwell first.
    package var regions: [RegionHistory] = []
    /// From one nearest beacon to the next, the most frequent first.
    package var transitions: [Transition] = []
    /// What came of syncing content.
    package var content = ContentHistory()

    /// A report of nothing.
    package init() {}
}

/// When the scanner could hear.
package struct ScannerHistory: Sendable, Hashable {
    /// Times for which it recorded, in order.
    package var recording: [ClosedRange<Timestamp>] = []
    /// Times for which it could not hear, in order.
    package var blind: [ClosedRange<Timestamp>] = []

    /// Nothing recorded.
    package init() {}

    /// Seconds recorded.
    package var recordedSeconds: Double { recording.seconds }
    /// Seconds blind.
    package var blindSeconds: Double { blind.seconds }
}

/// How often somebody came, and how long they stayed.
package struct VisitHistory: Sendable, Hashable {
    /// Each visit, in order, as far as it lies in the report's span.
    package var visits: [ClosedRange<Timestamp>] = []
    /// Visits by the hour of the day in which they began, from 0 to 23.
    package var byHour = [Int](repeating: 0, count: 24)

    /// No visits.
    package init() {}

    /// Seconds of all visits.
    package var seconds: Double { visits.seconds }
    /// Half of the visits were not longer, in seconds; nil without any.
    package var medianSeconds: Double? {
        let lengths = visits.map(\.seconds).sorted()
        return lengths.isEmpty ? nil : lengths[(lengths.count - 1) / 2]
    }
    /// The longest visit in seconds; nil without any.
    package var longestSeconds: Double? { visits.map(\.seconds).max() }
}

/// What was heard of one beacon.
package struct BeaconHistory: Sendable, Hashable {
    /// Who it is.
    package var id: BeaconID
    /// What people call it; nil where it has no name.
    package var name: String?
    /// dBm at 1 m, as its last frame claims.
    package var measuredPower: Int8 = 0
    /// The first sighting.
    package var firstSeen: Timestamp
    /// The last sighting.
    package var lastSeen: Timestamp
    /// Sightings, those without a level included.
    package var count = 0
    /// From its first sighting to the last before a silence longer than its exit time, each time.
    package var visits = VisitHistory()
    /// When it was the nearest.
    package var nearest = VisitHistory()
    /// Of the time for which any beacon was the nearest, the share for which it was this one; nil where none was.
    package var nearestShare: Double?
    /// Quantiles of the readings; nil where none had a level.
    package var rssi: RSSIQuantiles?
    /// Quantiles of the filtered distance over the time present, in metres; nil where there was none.
    package var distance: DistanceQuantiles?
    /// Over time; empty where it was not heard in the span.
    package var series: [BeaconBucket] = []

    init(id: BeaconID, at time: Timestamp) {
        self.id = id
        firstSeen = time
        lastSeen = time
    }
}

/// A piece of a beacon's time.
package struct BeaconBucket: Sendable, Hashable {
    /// Sightings.
    package var count = 0
    /// Readings in dBm: a tenth, half and nine tenths of them are not stronger; nil where none had a level.
    package var levels: (low: Int8, median: Int8, high: Int8)?
    /// The median of the filtered distance, and the mean interval that holds it in 8 of 10 cases, in metres.
    package var distance: (low: Double, median: Double, high: Double)?

    package static func == (left: BeaconBucket, right: BeaconBucket) -> Bool {
        left.count == right.count
            && left.levels.map { [$0.low, $0.median, $0.high] } == right.levels.map { [$0.low, $0.median, $0.high] }
            && left.distance.map { [$0.low, $0.median, $0.high] } == right.distance.map { [$0.low, $0.median, $0.high] }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(levels?.median)
        hasher.combine(distance?.median)
    }
}

/// Readings in dBm below or at which that share of all readings lies.
package struct RSSIQuantiles: Sendable, Hashable {
    /// The weakest reading, in dBm.
    package var min: Int8
    /// A tenth of the readings is not stronger, in dBm.
    package var p10: Int8
    /// Half of the readings are not stronger, in dBm.
    package var median: Int8
    /// Nine tenths of the readings are not stronger, in dBm.
    package var p90: Int8
    /// The strongest reading, in dBm.
    package var max: Int8

    /// Quantiles in rising order.
    package init(min: Int8, p10: Int8, median: Int8, p90: Int8, max: Int8) {
        self.min = min
        self.p10 = p10
        self.median = median
        self.p90 = p90
        self.max = max
    }
}

/// Distances in metres below or at which that share of all distances lies.
package struct DistanceQuantiles: Sendable, Hashable {
    /// A tenth of the distances is not greater, in metres.
    package var p10: Double
    /// Half of the distances are not greater, in metres.
    package var median: Double
    /// Nine tenths of the distances are not greater, in metres.
    package var p90: Double

    /// Quantiles in rising order.
    package init(p10: Double, median: Double, p90: Double) {
        self.p10 = p10
        self.median = median
        self.p90 = p90
    }
}

/// When a region was entered and left.
package struct RegionHistory: Sendable, Hashable {
    /// Its name.
    package var name: String
    package var visits = VisitHistory()

    init(name: String) {
        self.name = name
    }
}

/// That one beacon was the nearest, and then another.
package struct Transition: Sendable, Hashable {
    package var from: BeaconID
    package var to: BeaconID
    /// How often.
    package var count: Int

    package init(from: BeaconID, to: BeaconID, count: Int) {
        self.from = from
        self.to = to
        self.count = count
    }
}

/// What came of syncing content.
package struct ContentHistory: Sendable, Hashable {
    /// By beacon; nil for what is shown where none is near.
    package var beacons: [Entry] = []
    /// Of the site's list, the last ones, the newest last.
    package var site: [SyncResult] = []

    /// What came of one beacon's syncs.
    package struct Entry: Sendable, Hashable {
        package var beacon: BeaconID?
        package var name: String?
        /// Syncs after which everything was there.
        package var ready = 0
        /// Syncs that found that the site has nothing.
        package var nothing = 0
        /// Syncs that failed.
        package var failed = 0
        /// Times for which the site could not be reached.
        package var waiting = 0
        /// Octets fetched.
        package var fetchedBytes: Int64 = 0
        /// The last problem, and when.
        package var lastProblem: String?
        package var lastProblemTime: Timestamp?
    }

    /// Nothing synced.
    package init() {}
}

/// What came of one sync.
package struct SyncResult: Sendable, Hashable {
    /// How it ended.
    package enum Outcome: String, Sendable, Hashable {
        case ready, nothing, failed, waiting
        /// Something about the whole site, which `text` tells.
        case site
    }

    package var time: Timestamp
    package var beacon: BeaconID?
    package var outcome: Outcome
    /// Octets fetched.
    package var fetchedBytes: Int64
    /// What the problem was, or what is told of the site.
    package var text: String?

    package init(
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
