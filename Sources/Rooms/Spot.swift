import Ranging

/// A beacon's position on a floor, with a radius of uncertainty.
package struct Spot: Hashable, Sendable {
    /// Metres, in steps of 0.5.
    package var position: Position
    /// The radius in metres, in steps of 0.5, within which the beacon is with 90 % probability.
    package var within: Double

    package init(position: Position, within: Double) {
        self.position = position
        self.within = within
    }

    /// The number of scanners with a position that it needs. With two, a beacon may be on either side of their line.
    static let fewestScanners = 3

    /// The middle of the squares where a beacon may be.
    ///
    /// - Parameter places: squares with their likelihoods, which need not have the sum of one.
    /// - Returns: nil without any.
    init?(_ places: [(position: Position, likelihood: Double)], cellSize: Double) {
        let sum = places.reduce(0) { $0 + $1.likelihood }
        guard sum > 0 else { return nil }
        let middle = Position(
            x: Self.rounded(places.reduce(0) { $0 + $1.position.x * $1.likelihood } / sum),
            y: Self.rounded(places.reduce(0) { $0 + $1.position.y * $1.likelihood } / sum))
        let distances = places.map { (distance: $0.position.distance(to: middle), likelihood: $0.likelihood) }
            .sorted { $0.distance < $1.distance }
        var (inside, radius) = (0.0, 0.0)
        for (distance, likelihood) in distances {
            (inside, radius) = (inside + likelihood, distance)
            if inside >= 0.9 * sum { break }
        }
        // A beacon may be anywhere in its square.
        self.init(position: middle, within: Self.rounded(radius + cellSize / 2))
    }

    /// Whether this is far enough from the published spot to be published.
    func isNews(after told: Spot?) -> Bool {
        guard let told else { return true }
        return position.distance(to: told.position) > max(1, told.within / 2)
            || within > told.within * 1.5 || within < told.within / 1.5
    }

    private static func rounded(_ metres: Double) -> Double { (metres * 2).rounded() / 2 }
}
