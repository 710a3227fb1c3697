import Beacon

/// The evidence that one beacon has gathered for being the nearest.
struct ContestState {
    /// Lead over all others beyond the margin, summed over time: dB × s, never negative.
    var lead = 0.0
    /// The same over the current nearest alone.
    var leadOverNearest = 0.0
    /// How far it has been behind the nearest since the visitor left it, beyond the parting margin: dB × s.
    private var apart = 0.0
    /// How often it ceased to be the nearest, decaying with the half-life, as of `leftAt`.
    private var departures = 0.0
    private var leftAt = Timestamp(microseconds: 0)

    var isChallenging: Bool { lead > 0 || leadOverNearest > 0 }

    mutating func clear() {
        lead = 0
        leadOverNearest = 0
    }

    /// It was the nearest until `time`.
    mutating func leave(at time: Timestamp, settings: RangingSettings) {
        departures = departures(at: time, settings: settings) + 1
        leftAt = time
        apart = 0
    }

    func departures(at time: Timestamp, settings: RangingSettings) -> Double {
        guard departures > 0 else { return 0 }
        let halfLives = max(0, time.elapsed(since: leftAt)) / settings.returnPenaltyHalfLife
        return departures * powerOfTen(-0.30103 * halfLives)
    }

    /// Records that it is behind the nearest by so many dB. If the deficit is large for long, the visitor has walked
    /// away from it, and its return is then not counted as flapping.
    mutating func part(by deficit: Double, seconds: Double, settings: RangingSettings) {
        apart = (apart + (deficit - settings.partingMargin).clamped(to: -16...16) * seconds).clamped(to: 0...1e6)
        if apart >= settings.partingEvidence {
            departures = 0
            apart = 0
        }
    }

    mutating func limit(to time: Timestamp) {
        leftAt = min(leftAt, time)
    }
}
