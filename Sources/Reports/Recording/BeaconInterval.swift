package import Beacon
import Text

/// What was received from one beacon in one interval of time.
package struct BeaconInterval: Sendable, Hashable {
    package var id: BeaconID
    package var start: Timestamp
    package var seconds: Int
    /// The first sighting in the interval. Without one: the last sighting before it.
    package var firstSeen: Timestamp
    /// The last sighting in the interval. Without one: the last sighting before it.
    package var lastSeen: Timestamp
    /// Number of sightings, including those without a level.
    package var count: Int
    /// dBm at 1 m, as the last frame states.
    package var measuredPower: Int8
    /// Readings in dBm.
    package var levels: Histogram
    /// Bins of the filtered distances (`DistanceScale`). Each ranking adds one.
    package var distances: Histogram
    /// The mean of the filtered level in dBm; nil if there was none.
    package var filteredLevel: Double?
    /// The distance's interval in metres, averaged over the rankings; nil if there was none.
    package var distanceRange: ClosedRange<Double>?
    /// Seconds for which the beacon was present while the scanner was not blind.
    package var presentSeconds: Double
    /// Seconds for which it was the nearest beacon.
    package var nearestSeconds: Double

    package init(
        id: BeaconID, start: Timestamp, seconds: Int, firstSeen: Timestamp, lastSeen: Timestamp, count: Int,
        measuredPower: Int8, levels: Histogram = Histogram(), distances: Histogram = Histogram(),
        filteredLevel: Double? = nil, distanceRange: ClosedRange<Double>? = nil, presentSeconds: Double = 0,
        nearestSeconds: Double = 0
    ) {
        self.id = id
        self.start = start
        self.seconds = seconds
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.count = count
        self.measuredPower = measuredPower
        self.levels = levels
        self.distances = distances
        self.filteredLevel = filteredLevel
        self.distanceRange = distanceRange
        self.presentSeconds = presentSeconds
        self.nearestSeconds = nearestSeconds
    }

    /// Merges what was received in the same interval at another time: after a restart, or after the clock was set back.
    package mutating func merge(_ other: BeaconInterval) {
        // The averages are over rankings. `distances` holds one value for each.
        let (own, others) = (Double(distances.total), Double(other.distances.total))
        filteredLevel = Self.mean(filteredLevel, own, other.filteredLevel, others)
        if let low = Self.mean(distanceRange?.lowerBound, own, other.distanceRange?.lowerBound, others),
            let high = Self.mean(distanceRange?.upperBound, own, other.distanceRange?.upperBound, others)
        {
            distanceRange = low...max(low, high)
        }
        firstSeen = min(firstSeen, other.firstSeen)
        if other.lastSeen >= lastSeen {
            lastSeen = other.lastSeen
            measuredPower = other.measuredPower
        }
        count += other.count
        levels.merge(other.levels)
        distances.merge(other.distances)
        presentSeconds += other.presentSeconds
        nearestSeconds += other.nearestSeconds
    }

    /// The part inside a span; nil if there is none. For an interval that is cut, only the first and the last sighting
    /// have known times. The sightings between them are assumed to be spread evenly.
    func clipped(to span: ClosedRange<Timestamp>) -> BeaconInterval? {
        let end = start.advanced(bySeconds: Double(seconds))
        if start >= span.lowerBound, end <= span.upperBound { return self }
        guard firstSeen <= lastSeen, firstSeen <= span.upperBound, lastSeen >= span.lowerBound else { return nil }
        var part = self
        part.firstSeen = max(firstSeen, span.lowerBound)
        part.lastSeen = min(lastSeen, span.upperBound)
        let whole = lastSeen.elapsed(since: firstSeen)
        if whole > 0, count > 0 {
            let share = part.lastSeen.elapsed(since: part.firstSeen) / whole
            part.count = max(1, Int((Double(count) * share).rounded()))
        }
        return part
    }

    private static func mean(_ first: Double?, _ weight: Double, _ second: Double?, _ other: Double) -> Double? {
        guard let first, let second else { return first ?? second }
        guard weight + other > 0 else { return (first + second) / 2 }
        return (first * weight + second * other) / (weight + other)
    }
}
