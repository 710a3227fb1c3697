package import Beacon

/// Everything that is known about one beacon, in a fixed size.
package struct Track: Sendable {
    // Values of a size stand together, so that there is no padding between them: there are thousands of tracks.

    package let id: BeaconID
    var correction: AppliedCorrection
    /// dB that are added to its level (`ClaimEstimator`).
    var allowance: Float = 0
    private(set) var filters = FilterSet()
    var contest = ContestState()
    private(set) var lastSeen: Timestamp
    /// The last sighting that began a new interval.
    private var lastInterval: Timestamp
    /// Sightings since it entered; the same advertisement at two receivers is two sightings.
    private(set) var count = 0
    private(set) var interval = IntervalEstimate()
    /// The receiver that the intervals are counted by.
    private var intervalSource: SourceID
    /// The measured power of the last frame, in dBm.
    private(set) var measuredPower: Int8 = 0
    /// The last reading of any receiver, in dBm.
    private(set) var latestRSSI: Int8?
    var proximity = Proximity.unknown
    /// Whether it is present: it was received since the last tick, or has not exited.
    var isPresent = true
    /// Whether its enter event was reported.
    package var isAnnounced = false
    package var isUsed = true

    // Neighbours in the order in which beacons were last received; -1 at the ends.
    var older: Int32 = -1
    var newer: Int32 = -1

    package init(id: BeaconID, at time: Timestamp, source: SourceID, correction: AppliedCorrection) {
        self.id = id
        self.correction = correction
        lastSeen = time
        lastInterval = time
        intervalSource = source
    }

    /// Adds a sighting.
    ///
    /// - Parameter lastBlind: when the scanner was last blind. An interval that began before says nothing about the
    ///   beacon.
    mutating func hear(_ sighting: Sighting, at time: Timestamp, lastBlind: Timestamp?, settings: RangingSettings) {
        if !isPresent {
            isPresent = true
            count = 0
            proximity = .unknown
            latestRSSI = nil
            filters.removeAll()
            // It was really away, so its return is no alternation.
            contest = ContestState()
        }
        count &+= 1
        measuredPower = sighting.beacon.measuredPower
        if let rssi = sighting.rssi {
            latestRSSI = rssi
            let index = filters.index(of: sighting.source)
            filters[index].add(rssi, at: time, algorithm: settings.levelAlgorithm)
        }
        learnInterval(sighting.source, at: time, lastBlind: lastBlind, settings: settings)
        lastSeen = max(lastSeen, time)
    }

    private mutating func learnInterval(
        _ source: SourceID, at time: Timestamp, lastBlind: Timestamp?, settings: RangingSettings
    ) {
        let seconds = time.elapsed(since: lastInterval)
        guard interval.isInterval(seconds, isSameSource: source == intervalSource) else { return }
        // More than twice the cap is an absence, not an interval.
        let isBroken = lastBlind.map { lastInterval < $0 } ?? false
        if seconds <= 2 * settings.exitCap, !isBroken {
            interval.add(seconds, settings: settings)
        }
        lastInterval = time
        intervalSource = source
    }

    /// The level at `time`, and the receiver that it is from.
    ///
    /// The strongest receiver counts: walls, bodies and fading only weaken, so the receiver that receives a beacon best
    /// says most about its distance. It must have recent readings, and as many as the minimum or as any other receiver.
    /// Otherwise a single lucky reading would decide.
    func level(at time: Timestamp, settings: RangingSettings) -> (filtered: FilteredLevel, source: SourceID)? {
        guard filters.count > 1 else {
            return filters.count == 0 ? nil : level(of: 0, at: time, settings: settings)
        }
        var levels = InlineArray<4, FilteredLevel?>(repeating: nil)
        var newest = Double.infinity
        var most = 0
        var due = Timestamp(microseconds: .max)
        for index in filters.indices {
            guard let (filtered, _) = level(of: index, at: time, settings: settings) else { continue }
            levels[index] = filtered
            newest = min(newest, filtered.age)
            due = min(due, filtered.due)
        }
        let oldest = max(newest, interval.reach(settings))
        for index in filters.indices {
            guard let filtered = levels[index], filtered.age <= oldest else { continue }
            most = max(most, filtered.count)
        }
        var best: (filtered: FilteredLevel, source: SourceID)?
        for index in filters.indices {
            guard var filtered = levels[index], filtered.age <= oldest,
                filtered.count >= min(most, settings.minimumReadings),
                best.map({ filtered.level.value > $0.filtered.level.value }) ?? true
            else { continue }
            filtered.due = due
            best = (filtered, filters[index].source)
        }
        return best
    }

    /// The levels at the other receivers that have received it recently.
    func others(than counting: SourceID, at time: Timestamp, settings: RangingSettings) -> OtherReceivers {
        var others = OtherReceivers()
        guard filters.count > 1 else { return others }
        for index in filters.indices where filters[index].source != counting {
            guard let (filtered, source) = level(of: index, at: time, settings: settings),
                filtered.age <= interval.reach(settings)
            else { continue }
            others.add(ReceiverLevel(source: source, level: filtered.level.value))
        }
        return others
    }

    /// The level at one receiver, with its correction.
    func level(
        of index: Int, at time: Timestamp, settings: RangingSettings
    ) -> (filtered: FilteredLevel, source: SourceID)? {
        guard var filtered = filters[index].level(at: time, reach: interval.reach(settings), settings: settings) else {
            return nil
        }
        let source = filters[index].source
        if !settings.receiverCorrections.isEmpty, let correction = settings.receiverCorrections[source] {
            filtered.level.value += correction
        }
        return (filtered, source)
    }

    /// Seconds of silence after which it exits.
    func exitTime(_ settings: RangingSettings) -> Double {
        correction.exitTime > 0 ? Double(correction.exitTime) : interval.exitTime(settings)
    }

    /// Seconds of silence after which its level is stale.
    func staleTime(_ settings: RangingSettings) -> Double {
        interval.staleTime(settings, exitTime: exitTime(settings))
    }

    /// Moves times from after `time` to `time`.
    mutating func limit(to time: Timestamp) {
        lastSeen = min(lastSeen, time)
        lastInterval = min(lastInterval, time)
        for index in filters.indices {
            filters[index].limit(to: time)
        }
        contest.limit(to: time)
    }
}
