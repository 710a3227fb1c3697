import Beacon

/// All that is known about one beacon: of fixed size.
struct Track {
    var id: BeaconID
    var measuredPower: Int8 = 0
    var filter = LevelFilter()
    var interval = IntervalEstimate()
    var contest = ContestState()
    var proximity = Proximity.unknown
    var lastSeen: Timestamp
    /// The last sighting that began a new interval.
    var lastInterval: Timestamp
    /// Sightings since it entered.
    var count = 0
    /// Heard again since the last tick, or present and not gone.
    var isPresent = true
    /// The users know that it is present.
    var isAnnounced = false
    var isUsed = true

    // Neighbours in the order of being heard; -1 at the ends.
    var older: Int32 = -1
    var newer: Int32 = -1

    init(id: BeaconID, at time: Timestamp) {
        self.id = id
        lastSeen = time
        lastInterval = time
    }

    /// Takes in a sighting.
    ///
    /// - Parameter lastBlind: an interval that began before it tells nothing about the beacon.
    mutating func hear(
        _ rssi: Int8?, measuredPower: Int8, at time: Timestamp, lastBlind: Timestamp?, settings: RangingSettings
    ) {
        if !isPresent {
            isPresent = true
            count = 0
            proximity = .unknown
            filter.reset()
        }
        count &+= 1
        self.measuredPower = measuredPower
        if let rssi {
            filter.add(rssi, at: time)
        }
        let interval = time.elapsed(since: lastInterval)
        if IntervalEstimate.isInterval(interval) {
            // What is longer than the cap twice over is an absence, and no interval.
            let isBroken = lastBlind.map { lastInterval < $0 } ?? false
            if interval <= 2 * settings.exitCap, !isBroken {
                self.interval.add(interval, settings: settings)
            }
            lastInterval = time
        }
        lastSeen = max(lastSeen, time)
    }

    /// Brings times from after `time` to it.
    mutating func limit(to time: Timestamp) {
        lastSeen = min(lastSeen, time)
        lastInterval = min(lastInterval, time)
        filter.limit(to: time)
        contest.limit(to: time)
    }
}
