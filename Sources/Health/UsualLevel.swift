import Ranging

/// The usual level of a beacon at a scanner, and how far the level usually is from it. Levels are taken minute by
/// minute.
struct UsualLevel: Hashable, Sendable {
    /// How far the level falls for some minutes below the mean (`dips`), and below the level half an hour before
    /// (`falls`). Falls show how much can change at once where doors stay closed for hours.
    var dips = UsualDips()
    var falls = UsualDips()
    /// The number of minutes that the level was learned from, up to `memory`.
    var count = 0.0
    /// dBm.
    var mean = 0.0
    /// dB².
    var variance = Self.firstSpread * Self.firstSpread
    /// dBm: the mean when it was first learned. It follows the mean much more slowly.
    var origin = 0.0

    /// Minutes: a week; for the origin, a quarter of a year.
    static let memory = 10_080.0
    static let longMemory = 131_040.0
    /// dB, before anything is known.
    static let firstSpread = 3.0
    /// The levels of successive minutes are related, so a spread takes longer to learn.
    static let related = 10.0

    var spread: Double { variance.squareRoot() }

    /// dB above the origin.
    var drift: Double { mean - origin }

    /// - Parameters:
    ///   - deviation: dB from the mean, without the shift that all beacons at this scanner share.
    ///   - fall: dB below the level half an hour ago, also without that shift; nil if unknown.
    mutating func learn(deviation: Double, fall: Double?, settledAfter learning: Double) {
        let isNew = count < learning
        count = min(count + 1, Self.memory)
        let spread = spread
        // A far deviation is learned slowly: a beacon that has become weak stays weak for weeks.
        let most = isNew ? 10 : max(1, 2 * spread)
        mean += deviation.clamped(to: -most...most) / count
        let farthest = max(6, 3 * spread)
        // A far deviation is another state of the beacon, not spread. A level that has changed must not make its own
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

    /// Whether the values are possible.
    var isSound: Bool {
        (0...Self.memory).contains(count) && (-200...100).contains(mean) && (-200...100).contains(origin)
            && (0...10_000).contains(variance) && dips.deepest.isSound && falls.deepest.isSound
    }
}
