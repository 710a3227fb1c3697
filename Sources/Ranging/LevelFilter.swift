import Beacon

/// A level and its variance.
struct Level {
    /// dBm.
    var value: Double
    /// dB²: the variance of the mean, from the readings' own scatter.
    var variance: Double
}

/// A level at one instant.
struct FilteredLevel {
    var level: Level
    /// Readings that it comes from.
    var count: Int
    /// Seconds since the newest of them.
    var age: Double
    /// When it changes next if nothing is received.
    var due: Timestamp
}

/// The level of one beacon at one receiver.
///
/// It averages the readings of a short window of time, whatever their number, between the dB and the power domain. For
/// a beacon that is received rarely it reaches farther back. The window is a fixed ring: adding allocates nothing.
struct LevelFilter {
    /// Which receiver.
    private(set) var source: SourceID = 0
    private var recursive = RecursiveLevel()
    private(set) var ring = ReadingRing()

    /// The window of AltBeacon's mean, in seconds.
    private static let meanWindow = 20.0
    /// Seconds between two steps in which a level without new readings becomes less certain.
    private static let ageStep = 0.5

    /// The time of its last reading.
    var latest: Timestamp? { ring.count == 0 ? nil : ring[0].time }

    mutating func reset(for source: SourceID) {
        self.source = source
        ring.reset()
        recursive.reset()
    }

    mutating func add(_ rssi: Int8, at time: Timestamp, algorithm: LevelAlgorithm) {
        switch algorithm {
        case .window: break
        case .altBeaconMean:
            let spacing = Self.meanWindow / Double(ReadingRing.capacity)
            if let latest, (0..<spacing).contains(time.elapsed(since: latest)) { return }
        case .arma, .ewma, .kalman: recursive.add(rssi, algorithm: algorithm)
        }
        ring.add(rssi, at: time)
    }

    mutating func limit(to time: Timestamp) {
        ring.limit(to: time)
    }

    /// The level at `time`; nil without a reading. If no reading is recent, the last one is used, and the variance
    /// grows with its age.
    ///
    /// - Parameter given: seconds that it goes back for enough readings, if its window is not longer.
    func level(at time: Timestamp, reach given: Double, settings: RangingSettings) -> FilteredLevel? {
        guard ring.count > 0 else { return nil }
        let isMean = settings.levelAlgorithm == .altBeaconMean
        let windowLimit = isMean ? Self.meanWindow : settings.levelWindow
        let reach = max(windowLimit, given)
        var window = ReadingWindow()
        var newest = ring[0].time
        var due = Timestamp(microseconds: .max)
        // From the reading that came last to the first; late ones may stand between.
        for step in 0..<Int(ring.count) {
            let (read, rssi) = ring[step]
            newest = max(newest, read)
            let limit = window.count < settings.minimumReadings ? reach : windowLimit
            if time.elapsed(since: read) <= limit {
                window.insert(rssi)
                due = min(due, read.adding(seconds: limit))
            }
        }
        if window.count == 0 {
            window.insert(ring[0].rssi)
        }
        var level =
            switch settings.levelAlgorithm {
            case .window: window.biasedLevel(settings: settings)
            case .altBeaconMean: window.trimmedLevel(settings: settings)
            case .arma, .ewma, .kalman: recursive.level(algorithm: settings.levelAlgorithm, settings: settings)
            }
        let age = max(0, time.elapsed(since: newest))
        // A walking visitor's level changes by about 2 dB in a second without readings. The variance grows in steps, so
        // that beacons that are not received need no work between them.
        let steps = (max(0, age - settings.levelWindow) / Self.ageStep).rounded(.down)
        level.variance += 4 * Self.ageStep * steps
        due = min(due, newest.adding(seconds: settings.levelWindow + Self.ageStep * (steps + 1)))
        // After that, it no longer counts beside other receivers. The window may be longer.
        if age <= given {
            due = min(due, newest.adding(seconds: given))
        }
        return FilteredLevel(level: level, count: window.count, age: age, due: due)
    }
}
