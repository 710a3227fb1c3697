package import Beacon

/// Why ranging ranks a beacon as it does, from the readings to what it lacks to be the nearest.
package struct BeaconExplanation: Sendable, Hashable {
    /// One reading.
    package struct Reading: Sendable, Hashable {
        /// When it was read.
        package var time: Timestamp
        /// dBm.
        package var rssi: Int8
        /// The receiver.
        package var source: SourceID
    }

    /// The level at one receiver.
    package struct Receiver: Sendable, Hashable {
        /// The receiver.
        package var source: SourceID
        /// dBm, with the receiver's correction.
        package var filteredRSSI: Double
        /// dB², of the filtered level.
        package var variance: Double
        /// Readings that it comes from.
        package var count: Int
        /// Whether this is the receiver whose level counts.
        package var isUsed: Bool
    }

    /// Who it is.
    package var id: BeaconID
    /// The instant that is explained.
    package var time: Timestamp
    /// Whether it is present. If not, it has exited and is only remembered.
    package var isPresent: Bool
    /// The readings that are kept, latest first. The level comes from those within the window.
    package var readings: [Reading]
    /// The levels that were joined.
    package var receivers: [Receiver]
    /// The level that counts, in dBm; nil without a reading.
    package var filteredRSSI: Double?
    /// dB², of the filtered level.
    package var variance: Double?
    /// dBm at 1 m that the frame claims.
    package var claimedPower: Int8
    /// dBm at 1 m that the distance is computed from, after corrections.
    package var measuredPower: Double
    /// Distance with its interval; nil without a level.
    package var distance: Distance?
    /// Distance class.
    package var proximity: Proximity
    /// dB that are added to its level, because it has been received more weakly than it claims so far; negative if it
    /// has been strong everywhere.
    package var allowance: Double
    /// Probability that it is nearer than the nearest beacon, from the levels and their uncertainty; nil if one of the
    /// two has no level, or if it is the nearest itself.
    package var probabilityNearer: Double?
    /// Whether it is the nearest.
    package var isNearest: Bool
    /// Why it is not the nearest: the decision if it were the only challenger now. Nil if it is the nearest, or if no
    /// beacon is.
    package var verdict: NearestDecision?
    /// Seconds until it is the nearest if its lead stays as it is; nil if its lead is not greater than the margin.
    package var secondsToNearest: Double?
    /// The latest changes of the nearest beacon in which it was involved, oldest first.
    package var decisions: [NearestDecision]
    /// Seconds since it was last received, without the time in which the scanner was blind.
    package var silence: Double
    /// Seconds of silence after which it exits.
    package var exitTime: Double
    /// Seconds within which the next sighting is expected: the mean so far, losses included, with a first guess that
    /// counts as four intervals.
    package var interval: Double
    /// The regions that it belongs to.
    package var regions: [String]
    /// Whether it was received from so many addresses that the flood rules count it as rotating.
    package var isRotating: Bool
}

extension Ranger {
    /// Explains a beacon at `time`, which must not be earlier than the last tick; nil if it is not tracked.
    package func explanation(of id: BeaconID, at time: Timestamp) -> BeaconExplanation? {
        guard let slot = table.slot(of: id) else { return nil }
        let standing = standing(of: slot, at: time)
        let distance = pathLoss.distance(of: standing)
        let track = table[slot]
        let against = comparison(of: slot, standing, at: time)
        return BeaconExplanation(
            id: id, time: time, isPresent: track.isPresent, readings: track.readings,
            receivers: track.receivers(at: time, used: standing.source, settings: settings),
            filteredRSSI: standing.level?.value, variance: standing.level?.variance,
            claimedPower: track.measuredPower,
            measuredPower: track.correction.measuredPower(claimed: track.measuredPower), distance: distance,
            proximity: track.proximity, allowance: standing.allowance, probabilityNearer: against.probability,
            isNearest: nearest == id,
            verdict: against.verdict, secondsToNearest: against.seconds,
            decisions: contest.changes.filter { $0.challenger == id || $0.holder == id },
            silence: max(0, silence(of: slot, at: time)), exitTime: track.exitTime(settings),
            interval: track.interval.mean, regions: regions.identifiers(of: id), isRotating: floodGuard.isRotating(id))
    }

    /// The latest changes of the nearest beacon, at most 32, oldest first.
    package var nearestChanges: [NearestDecision] { contest.changes }

    /// Why the leading challenger was not the nearest at the last tick; nil if none led.
    package var refusedChange: NearestDecision? { contest.refusal }

    private func comparison(
        of slot: Int, _ standing: Standing, at time: Timestamp
    ) -> (probability: Double?, verdict: NearestDecision?, seconds: Double?) {
        guard let nearest, let holder = table.slot(of: nearest), holder != slot, let level = standing.level else {
            return (nil, nil, nil)
        }
        let other = self.standing(of: holder, at: time)
        guard let held = other.level else { return (nil, nil, nil) }
        let variance =
            level.variance + held.variance + standing.powerVariance + other.powerVariance
            + 2 * pathLoss.shadowingVariance
        let difference = standing.strength - other.strength
        let byLevel = difference - standing.allowance + other.allowance
        let verdict = contest.verdict(standing, table[slot], against: other, table[holder], at: time)
        var seconds: Double?
        if standing.isFresh, difference > settings.nearestMargin {
            seconds = max(0, verdict.needed - verdict.evidence) / (difference - settings.nearestMargin)
        }
        return (normalProbability(below: byLevel / max(variance, 1e-9).squareRoot()), verdict, seconds)
    }
}

extension Track {
    /// All readings that are kept, the latest first.
    fileprivate var readings: [BeaconExplanation.Reading] {
        var readings: [BeaconExplanation.Reading] = []
        for index in filters.indices {
            for step in 0..<Int(filters[index].ring.count) {
                let (time, rssi) = filters[index].ring[step]
                readings.append(.init(time: time, rssi: rssi, source: filters[index].source))
            }
        }
        return readings.sorted { $0.time != $1.time ? $0.time > $1.time : $0.source < $1.source }
    }

    fileprivate func receivers(
        at time: Timestamp, used: SourceID, settings: RangingSettings
    ) -> [BeaconExplanation.Receiver] {
        filters.indices.compactMap { index in
            guard let (filtered, source) = level(of: index, at: time, settings: settings) else { return nil }
            return .init(
                source: source, filteredRSSI: filtered.level.value, variance: filtered.level.variance,
                count: filtered.count, isUsed: source == used)
        }
    }
}
