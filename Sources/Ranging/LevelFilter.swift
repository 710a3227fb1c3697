import Beacon

/// A level and how far it is to be trusted.
struct Level {
    /// dBm.
    var value: Double
    /// dB²: of the mean, from the readings' own scatter.
    var variance: Double
}

/// The level of one beacon from its latest readings.
///
/// The readings of a short window of time, whatever their number, are averaged between the dB and the power domain;
/// a beacon that is heard rarely reaches farther back. The window is a fixed ring: adding allocates nothing.
struct LevelFilter {
    /// Readings kept. A beacon that sends faster than 20 a second fills less than the default window.
    static let capacity = 32

    private var times = InlineArray<32, Int64>(repeating: 0)
    private var readings = InlineArray<32, Int8>(repeating: 0)
    private var next = 0
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// The reading that came last.
    var latest: Int8? {
        count == 0 ? nil : readings[(next &+ Self.capacity &- 1) % Self.capacity]
    }

    mutating func add(_ rssi: Int8, at time: Timestamp) {
        times[next] = time.microseconds
        readings[next] = rssi
        next = (next &+ 1) % Self.capacity
        count = min(count &+ 1, Self.capacity)
    }

    /// Forgets all readings.
    mutating func reset() {
        next = 0
        count = 0
    }

    /// Brings readings from after `time` to it: the clock they were read by has been set back since.
    mutating func limit(to time: Timestamp) {
        for index in 0..<count where times[index] > time.microseconds {
            times[index] = time.microseconds
        }
    }

    /// The level at `time`; nil without a reading. Where nothing is recent, the last reading stands, and the
    /// variance grows with its age.
    func level(at time: Timestamp, settings: RangingSettings) -> Level? {
        guard count > 0 else { return nil }
        var window = Window()
        var newestAge = Double.infinity
        // From the reading that came last to the first; late ones may stand between.
        for step in 1...count {
            let index = (next &- step &+ Self.capacity) % Self.capacity
            let age = max(0, time.elapsed(since: Timestamp(microseconds: times[index])))
            newestAge = min(newestAge, age)
            let limit = window.count < settings.minimumReadings ? settings.levelReach : settings.levelWindow
            if age <= limit {
                window.insert(readings[index])
            }
        }
        if window.count == 0, let latest {
            window.insert(latest)
        }
        var level = window.level(settings: settings)
        // A walking visitor's level wanders by about 2 dB in a second without readings.
        level.variance += 4 * max(0, newestAge - settings.levelWindow)
        return level
    }
}

/// Readings in order of strength.
private struct Window {
    var sorted = InlineArray<32, Int8>(repeating: 0)
    var count = 0

    mutating func insert(_ rssi: Int8) {
        guard count < LevelFilter.capacity else { return }
        var position = count
        while position > 0, sorted[position &- 1] > rssi {
            sorted[position] = sorted[position &- 1]
            position &-= 1
        }
        sorted[position] = rssi
        count &+= 1
    }

    func level(settings: RangingSettings) -> Level {
        let median = Double(sorted[(count &- 1) / 2])
        // Two readings have no majority: there the weaker is believed as far as the limit.
        let ceiling = median + settings.outlierLimit
        let bias = settings.strengthBias * naturalLogarithmOfTen / 10
        var sum = 0.0
        var squares = 0.0
        var weighted = 0.0
        for index in 0..<count {
            let above = min(Double(sorted[index]), ceiling) - median
            sum += above
            squares += above * above
            weighted += bias > 1e-6 ? exponential(bias * above) : above
        }
        let number = Double(count)
        let mean = weighted / number
        let value = median + (bias > 1e-6 ? logarithm(mean) / bias : mean)

        // The scatter of a few readings says little, so the expected one weighs in as four readings would.
        let prior = settings.readingDeviation * settings.readingDeviation
        let scatter = max(0, squares - sum * sum / number)
        let variance = (scatter + 4 * prior) / (number - 1 + 4)
        return Level(value: value, variance: variance / number)
    }
}
