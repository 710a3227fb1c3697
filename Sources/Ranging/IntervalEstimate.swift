import Beacon

/// The mean time between two sightings of one beacon, losses included, and the exit time that follows from it.
struct IntervalEstimate {
    /// Seconds. It starts as the expectation for an unknown beacon.
    private(set) var mean = 1.0
    private var intervals: UInt8 = 0

    /// Adds the time from one sighting to the next. Copies of one advertising event, from three channels or several
    /// receivers, are not intervals: the caller checks with `isInterval` first.
    mutating func add(_ seconds: Double, settings: RangingSettings) {
        intervals = min(intervals + 1, 28)
        // The first guess counts as four intervals. Later the mean covers about the last 32.
        mean += (min(seconds, settings.exitCap) - mean) / Double(intervals + 4)
    }

    /// 20 ms is the shortest advertising interval (Core Specification Vol 6, Part B, 4.4.2.2). Another receiver's copy
    /// may come much later than that, so it counts only if the first receiver has gone silent.
    func isInterval(_ seconds: Double, isSameSource: Bool) -> Bool {
        isSameSource ? seconds >= 0.02 : seconds >= max(0.02, 2 * mean)
    }

    /// Seconds of silence after which the beacon counts as gone.
    func exitTime(_ settings: RangingSettings) -> Double {
        (mean * settings.exitIntervals).clamped(to: settings.exitFloor...settings.exitCap)
    }

    /// Seconds that a level reaches back for enough readings: longer for a beacon that is received rarely.
    func reach(_ settings: RangingSettings) -> Double {
        min(settings.levelReach, max(5, 2 * Double(settings.minimumReadings) * mean))
    }

    /// Seconds of silence after which the beacon's level is stale.
    func staleTime(_ settings: RangingSettings, exitTime: Double) -> Double {
        min(max(settings.staleAge, 4 * mean), exitTime)
    }
}
