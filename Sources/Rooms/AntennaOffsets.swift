import Ranging

/// How much more strongly than the map says each scanner receives beacons, because of its antenna and surroundings. It
/// is learned from all beacons whose room is certain, and from scanners that are also beacons.
///
/// The result of a minute is proposed, and used half a minute later. In between, resolvers agree on one proposal.
struct AntennaOffsets: Sendable {
    private struct Residuals {
        var sum = 0.0
        var count = 0.0
    }

    /// dB, by the scanner's index in the map.
    private(set) var decibels: [Double]
    private var residuals: [Residuals]

    /// The greatest offset, in dB. Antennas differ by less.
    private static let most = 15.0
    /// How far a minute's result changes the offsets, and how many readings it needs.
    private static let share = 0.3
    private static let enough = 30.0

    init(_ map: RoomMap) {
        decibels = Array(repeating: 0, count: map.places.count)
        residuals = Array(repeating: Residuals(), count: map.places.count)
    }

    /// Uses this offset from now on.
    mutating func adopt(_ decibels: Double, scanner: Int) {
        self.decibels[scanner] = Self.rounded(decibels)
    }

    /// - Parameter weight: the weight of each.
    mutating func learn(_ new: [BeaconLocator.Residual], weight: Double = 1) {
        for (scanner, residual) in new {
            residuals[scanner].sum += weight * residual.clamped(to: -12...12)
            residuals[scanner].count += weight
        }
    }

    /// Ends a minute. Returns the new offsets, by scanner.
    mutating func propose() -> [Double] {
        var proposal = decibels
        for scanner in decibels.indices {
            let (sum, count) = (residuals[scanner].sum, residuals[scanner].count)
            guard count > 0 else { continue }
            proposal[scanner] += Self.share * count / (count + Self.enough) * sum / count
            residuals[scanner] = Residuals()
        }
        // Only differences between scanners can be measured.
        let mean = proposal.reduce(0, +) / Double(max(1, proposal.count))
        return proposal.map { Self.rounded($0 - 0.5 * mean) }
    }

    private static func rounded(_ decibels: Double) -> Double {
        (decibels.clamped(to: -most...most) * 10).rounded() / 10
    }
}
