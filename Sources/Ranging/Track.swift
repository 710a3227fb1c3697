package import Beacon

/// All that is known about one beacon: of fixed size.
package struct Track: Sendable {
    package let id: BeaconID
    var correction: AppliedCorrection
    private(set) var filters = FilterSet()
    /// What the last frame claimed.
    private(set) var measuredPower: Int8 = 0
    /// The last reading of any receiver.
    private(set) var latestRSSI: Int8?
    var proximity = Proximity.unknown
    /// Heard again since the last tick, or present and not gone.
    var isPresent = true
    /// The users know that it is present.
    package var isAnnounced = false
    package var isUsed = true
    /// The receiver that the intervals are counted by.
    private var intervalSource: SourceID
    private(set) var interval = IntervalEstimate()
    var contest = ContestState()
    /// dB by which it is taken for stronger than its level says (`ClaimEstimator`).
    var allowance: Float = 0
    private(set) var lastSeen: Timestamp
    /// The last sighting that began a new interval.
    private var lastInterval: Timestamp
    /// Sightings since it entered; the same advertisement at two receivers is two sightings.
    private(set) var count = 0

    // Neighbours in the order of being heard; -1 at the ends.
    var older: Int32 = -1
    var newer: Int32 = -1

    package init(id: BeaconID, at time: Timestamp, source: SourceID, correction: AppliedCorrection) {
        self.id = id
        self.correction = correction
        lastSeen = time
        lastInterval = time
        intervalSource = source
    }

    /// Takes in a sighting.
    ///
    /// - Parameter lastBlind: an interval that began before it tells nothing about the beacon.
    mutating func hear(_ sighting: Sighting, at time: Timestamp, lastBlind: Timestamp?, settings: RangingSettings) {
        if !isPresent {
            isPresent = true
            count = 0
            proximity = .unknown
            latestRSSI = nil
            filters.removeAll()
            // It was really away, so nobody takes turns with it.
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
        // What is longer than the cap twice over is an absence, and no interval.
        let isBroken = lastBlind.map { lastInterval < $0 } ?? false
        if seconds <= 2 * settings.exitCap, !isBroken {
            interval.add(seconds, settings: settings)
        }
        lastInterval = time
        intervalSource = source
    }

    /// The level at `time`, joined from all receivers, and which of them it is from.
    ///
    /// The strongest one counts: walls, bodies and fading only take away, so the receiver that hears a beacon best
    /// tells most about its distance. It has to be heard lately, and as often as the minimum or as any other, or a
    /// single lucky reading would decide.
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

    /// The levels at the other receivers that hear it lately.
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

    /// Seconds of silence after which it has gone.
    func exitTime(_ settings: RangingSettings) -> Double {
        correction.exitTime > 0 ? Double(correction.exitTime) : interval.exitTime(settings)
    }

    /// Seconds of silence after which what is known about it is old.
    func staleTime(_ settings: RangingSettings) -> Double {
        interval.staleTime(settings, exitTime: exitTime(settings))
    }

    /// Brings times from after `time` to it.
    mutating func limit(to time: Timestamp) {
        lastSeen = min(lastSeen, time)
        lastInterval = min(lastInterval, time)
        for index in filters.indices {
            filters[index].limit(to: time)
        }
        contest.limit(to: time)
    }
}
