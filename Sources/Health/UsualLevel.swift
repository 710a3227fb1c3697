import Ranging

/// The usual level of a beacon at a scanner, and how far it is off that usually. Levels are taken minute by minute.
struct UsualLevel: Hashable, Sendable {
    /// Minutes that were learned from, up to `memory`.
    var count = 0.0
    /// dBm.
    var mean = 0.0
    /// dB².
    var variance = Self.firstSpread * Self.firstSpread
    /// dBm: the mean when it was learned first. It follows much more slowly.
    var origin = 0.0
    /// How far it is below the mean for minutes, and below the half hour before. The second says how much can come at
    /// once, where doors stay closed for hours.
    var dips = UsualDips()
    var falls = UsualDips()

    /// Minutes: a week. Of the origin: a quarter of a year.
    static let memory = 10_080.0
    static let longMemory = 131_040.0
    /// dB, before anything is known.
    static let firstSpread = 3.0
    /// A level of one minute has much in common with the next, so a spread takes longer to know.
    static let related = 10.0

    var spread: Double { variance.squareRoot() }

    /// dB above the origin.
    var drift: Double { mean - origin }

    /// - Parameters:
    ///   - deviation: dB from the mean, without what all beacons at this scanner have in common.
    ///   - fall: dB from half an hour before, also without that; nil where that is not known.
    mutating func learn(deviation: Double, fall: Double?, settledAfter learning: Double) {
        let isNew = count < learning
        count = min(count + 1, Self.memory)
        let spread = spread
        // What is far off is believed slowly: a beacon that has become weak stays weak for weeks.
        let most = isNew ? 10 : max(1, 2 * spread)
        mean += deviation.clamped(to: -most...most) / count
        let farthest = max(6, 3 * spread)
        // What is far off is another state of the beacon, and no spread: a level that has changed must not make its own
        // change look usual.
        if isNew || abs(deviation) <= farthest {
            let bounded = deviation.clamped(to: -farthest...farthest)
            variance += (bounded * bounded - variance) / (count / Self.related + 20)
        }
        origin = isNew ? mean : origin + (mean - origin) / Self.longMemory
        guard !isNew else { return }
        dips.note(-deviation)
        falls.note(fall)
    }

    mutating func begin(at level: Double) {
        self = UsualLevel()
        mean = level
        origin = level
    }

    /// Whether it can have come from here.
    var isSound: Bool {
        (0...Self.memory).contains(count) && (-200...100).contains(mean) && (-200...100).contains(origin)
            && (0...10_000).contains(variance) && dips.deepest.isSound && falls.deepest.isSound
    }
}
