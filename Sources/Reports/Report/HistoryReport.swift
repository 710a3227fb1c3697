package import Beacon

/// What happened in a span of time.
package struct HistoryReport: Sendable, Hashable {
    /// The sources as the user wrote them, or the host whose history this is.
    package var sources: [String] = []
    /// Nil if nothing was received and no span was requested.
    package var span: ClosedRange<Timestamp>?
    /// When the history that the report is made from begins; nil for a report on a recording, and for an empty
    /// history.
    package var historyBegins: Timestamp?
    /// When the first bucket of each series begins: with an interval, so it may be before the span. Nil without a span.
    package var seriesBegin: Timestamp?
    /// The length in seconds of each bucket in a series. It is the same for all beacons.
    package var bucketSeconds = 1.0
    /// Whether the report is limited to some beacons.
    package var isFiltered = false
    /// Number of sightings.
    package var count = 0
    /// Whether `count` is estimated: the span cuts intervals, and their sightings count by share of time.
    package var isAbout = false
    /// Sightings that were left out because they had no time.
    package var withoutTime = 0
    /// Sightings that were left out because of the limit on beacons or the flood rules.
    package var dropped = 0
    /// When the scanner recorded, and when it was blind.
    package var scanner = ScannerHistory()
    /// The longest dwell first.
    package var beacons: [BeaconHistory] = []
    /// The longest dwell first.
    package var regions: [RegionHistory] = []
    /// Changes of the nearest beacon, the most frequent first.
    package var transitions: [Transition] = []
    /// The results of content syncs.
    package var content = ContentHistory()
    /// The problems of beacons, the newest first. A report on a recording has none.
    package var health: [ReportedProblem] = []

    package init() {}
}

/// When the scanner recorded, and when it was blind.
package struct ScannerHistory: Sendable, Hashable {
    /// The times of recording, in order.
    package var recording: [ClosedRange<Timestamp>] = []
    /// The times when the scanner was blind, in order.
    package var blind: [ClosedRange<Timestamp>] = []

    package init() {}

    package var recordedSeconds: Double { recording.seconds }
    package var blindSeconds: Double { blind.seconds }
}

/// How often a beacon or region was visited, and for how long.
package struct VisitHistory: Sendable, Hashable {
    /// Each visit in order, clipped to the report's span.
    package var visits: [ClosedRange<Timestamp>] = []
    /// For each visit, the seconds in which the scanner was blind. They do not count. Empty if there are none.
    var blindSeconds: [Double] = []
    /// Visits by the hour of the day in which they began, from 0 to 23.
    package var byHour = [Int](repeating: 0, count: 24)

    package init() {}

    /// Seconds of all visits together.
    package var seconds: Double { lengths.reduce(0, +) }
    /// The median length of a visit in seconds; nil without visits.
    package var medianSeconds: Double? {
        let lengths = lengths.sorted()
        return lengths.isEmpty ? nil : lengths[(lengths.count - 1) / 2]
    }
    /// The length of the longest visit in seconds; nil without visits.
    package var longestSeconds: Double? { lengths.max() }

    private var lengths: [Double] {
        blindSeconds.isEmpty ? visits.map(\.seconds) : zip(visits, blindSeconds).map { $0.seconds - $1 }
    }
}

/// What was received from one beacon.
package struct BeaconHistory: Sendable, Hashable {
    package var id: BeaconID
    /// The name that people gave it; nil if it has none.
    package var name: String?
    /// dBm at 1 m, as the last frame states.
    package var measuredPower: Int8 = 0
    package var firstSeen: Timestamp
    package var lastSeen: Timestamp
    /// Number of sightings, including those without a level.
    package var count = 0
    /// Each visit lasts from a first sighting to the last one before a silence longer than the exit time.
    package var visits = VisitHistory()
    /// When it was the nearest beacon.
    package var nearest = VisitHistory()
    /// Its share of the time during which any beacon was the nearest; nil if none was.
    package var nearestShare: Double?
    /// Quantiles of the readings; nil if none had a level.
    package var rssi: RSSIQuantiles?
    /// Quantiles of the filtered distance over the time present, in metres; nil if there was none.
    package var distance: DistanceQuantiles?
    /// Values over time; empty if the beacon was not received in the span.
    package var series: [BeaconBucket] = []

    init(id: BeaconID, at time: Timestamp) {
        self.id = id
        firstSeen = time
        lastSeen = time
    }
}

/// One beacon's values in one bucket of time.
package struct BeaconBucket: Sendable, Hashable {
    /// Number of sightings.
    package var count = 0
    /// The 10 %, 50 % and 90 % quantiles of the readings in dBm; nil if none had a level.
    package var levels: (low: Int8, median: Int8, high: Int8)?
    /// The median of the filtered distance, and the average interval that contains it in 8 of 10 cases, in metres.
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

/// Quantiles of the readings in dBm.
package struct RSSIQuantiles: Sendable, Hashable {
    /// The weakest reading.
    package var min: Int8
    /// A tenth of the readings are not stronger.
    package var p10: Int8
    /// Half of the readings are not stronger.
    package var median: Int8
    /// Nine tenths of the readings are not stronger.
    package var p90: Int8
    /// The strongest reading.
    package var max: Int8

    /// The quantiles must be in rising order.
    package init(min: Int8, p10: Int8, median: Int8, p90: Int8, max: Int8) {
        self.min = min
        self.p10 = p10
        self.median = median
        self.p90 = p90
        self.max = max
    }
}

/// Quantiles of the distances in metres.
package struct DistanceQuantiles: Sendable, Hashable {
    /// A tenth of the distances are not greater.
    package var p10: Double
    /// Half of the distances are not greater.
    package var median: Double
    /// Nine tenths of the distances are not greater.
    package var p90: Double

    /// The quantiles must be in rising order.
    package init(p10: Double, median: Double, p90: Double) {
        self.p10 = p10
        self.median = median
        self.p90 = p90
    }
}

/// When beacons of a region were present.
package struct RegionHistory: Sendable, Hashable {
    package var name: String
    package var visits = VisitHistory()

    init(name: String) {
        self.name = name
    }
}

/// A change of the nearest beacon from one to another.
package struct Transition: Sendable, Hashable {
    package var from: BeaconID
    package var to: BeaconID
    /// How often the nearest beacon changed in this way.
    package var count: Int

    package init(from: BeaconID, to: BeaconID, count: Int) {
        self.from = from
        self.to = to
        self.count = count
    }
}

/// The results of content syncs.
package struct ContentHistory: Sendable, Hashable {
    /// By beacon; nil for the content that is shown if no beacon is near.
    package var beacons: [Entry] = []
    /// The last results that concern the whole site, the newest last.
    package var site: [SyncResult] = []

    /// The results of one beacon's syncs.
    package struct Entry: Sendable, Hashable {
        package var beacon: BeaconID?
        package var name: String?
        /// Syncs that ended with all content present.
        package var ready = 0
        /// Syncs that ended because the site has no content for the beacon.
        package var nothing = 0
        package var failed = 0
        /// How often the site could not be reached.
        package var waiting = 0
        /// Bytes fetched.
        package var fetchedBytes: Int64 = 0
        package var lastProblem: String?
        package var lastProblemTime: Timestamp?
    }

    package init() {}
}

/// The result of one sync.
package struct SyncResult: Sendable, Hashable {
    package enum Outcome: String, Sendable, Hashable {
        case ready, nothing, failed, waiting
        /// An event of the whole site, which `text` describes.
        case site
    }

    package var time: Timestamp
    package var beacon: BeaconID?
    package var outcome: Outcome
    /// Bytes fetched.
    package var fetchedBytes: Int64
    /// The problem, or the description of a site event.
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
    var seconds: Double { upperBound.elapsed(since: lowerBound) }
}

extension [ClosedRange<Timestamp>] {
    /// The sum of their lengths in seconds.
    var seconds: Double { reduce(0) { $0 + $1.seconds } }
}
