import Ranging

/// By how much each scanner hears beacons stronger than the map says: its antenna, and what stands around it. Learned
/// from all beacons whose room is clear.
///
/// Counts with the same offsets for a whole minute, and rounds them: resolvers that disagreed soon agree exactly.
struct AntennaOffsets: Sendable {
    private struct Residuals {
        var sum = 0.0
        var count = 0.0
    }

    /// dB, by the scanner's index in the map.
    private(set) var decibels: [Double]
    private var residuals: [Residuals]

    /// More than an antenna differs.
    private static let most = 15.0
    /// How much of what a minute says is believed, and from how many readings on.
    private static let share = 0.3
    private static let enough = 30.0

    init(_ map: RoomMap) {
        decibels = Array(repeating: 0, count: map.places.count)
        residuals = Array(repeating: Residuals(), count: map.places.count)
    }

    /// Goes on with offsets that another resolver has learned.
    mutating func adopt(_ decibels: Double, scanner: Int) {
        self.decibels[scanner] = Self.rounded(decibels)
    }

    mutating func learn(_ new: [BeaconLocator.Residual]) {
        for (scanner, residual) in new {
            residuals[scanner].sum += residual.clamped(to: -12...12)
            residuals[scanner].count += 1
        }
    }

    /// A minute is over.
    mutating func apply() {
        for scanner in decibels.indices {
            let (sum, count) = (residuals[scanner].sum, residuals[scanner].count)
            guard count > 0 else { continue }
            decibels[scanner] += Self.share * count / (count + Self.enough) * sum / count
            residuals[scanner] = Residuals()
        }
        // Only differences between scanners can be known.
        let mean = decibels.reduce(0, +) / Double(max(1, decibels.count))
        for scanner in decibels.indices { decibels[scanner] = Self.rounded(decibels[scanner] - 0.5 * mean) }
    }

    private static func rounded(_ decibels: Double) -> Double {
        (decibels.clamped(to: -most...most) * 10).rounded() / 10
    }
}
