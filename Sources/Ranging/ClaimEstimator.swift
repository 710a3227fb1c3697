import Beacon

/// The errors of the beacons' claimed powers relative to each other, learned from beacons that are received together.
///
/// The path from one beacon to another is as long as the path back. So if the first is received at the second with one
/// level, and the second at the first with another, the levels differ by the difference of the two claims' errors. How
/// often and how closely the visitor approached either does not matter. A level at only one of the two says less: it is
/// compared with the usual distance between beacons. All of this is one system of linear equations with a prior, solved
/// once a second (A. E. Hoerl, R. W. Kennard, "Ridge Regression", Technometrics 12, 1970).
struct ClaimEstimator {
    /// The maximum number of beacons that are compared. One more replaces the one that has been silent for longest.
    static let capacity = 24
    /// The greatest correction that can be learned, in dB.
    static let limit = 12.0
    /// Seconds at one beacon that count as a visit, and the number of visits that are remembered.
    private static let visit = 5.0
    private static let visits = 3.0
    /// Typical loss from one beacon to another, in dB, and its standard deviation. The loss is not learned: a beacon
    /// far away would change it, and with it which of the others is the nearest.
    private static let typicalLoss = 20.0
    private static let lossDeviation = 10.0
    /// A place deviation at or above which nothing is learned.
    private static let offDeviation = 500.0

    /// One beacon.
    private struct Place {
        var slot: Int
        var id: BeaconID
        var heard: Timestamp
        /// dB² of its claim against the others'.
        var variance: Double
    }

    private var places: [Place] = []
    /// At row · capacity + column: the level, relative to its claim, with which the row's beacon is received while the
    /// column's beacon is the nearest.
    private var levels: [Float] = []
    /// At the same indices: how many visits each level comes from.
    private var weights: [Float] = []
    /// Seconds since the equations were solved.
    private var seconds = 0.0

    /// Slots that are compared.
    var slots: [Int] { places.map(\.slot) }

    /// Takes in one instant.
    ///
    /// - Parameters:
    ///   - strongest: slots of the beacons that are received, strongest first.
    ///   - seconds: since the last instant.
    /// - Returns: whether allowances have changed.
    mutating func note(
        _ strongest: [Int], standings: [Standing], at time: Timestamp, seconds: Double, settings: RangingSettings,
        table: inout TrackTable
    ) -> Bool {
        guard settings.placeDeviation < Self.offDeviation, let nearest = strongest.first, seconds > 0 else {
            return false
        }
        // Known ones first: a new one must not replace one that is received now.
        var newcomers: [Int] = []
        for slot in strongest {
            let variance = variance(of: standings[slot], settings)
            guard let known = place(of: slot, table) else {
                newcomers.append(slot)
                continue
            }
            (places[known].heard, places[known].variance) = (time, variance)
        }
        for slot in newcomers {
            admit(slot, standings[slot], at: time, settings: settings, table: &table)
        }
        // A beacon that does not lead by the margin is not certainly the nearest.
        let second = strongest.count > 1 ? standings[strongest[1]].strength : -.infinity
        if standings[nearest].strength - second >= settings.nearestMargin, let column = place(of: nearest, table) {
            visit(column, standings, Float(seconds / Self.visit), settings: settings, table: table)
        }
        self.seconds += seconds
        guard self.seconds >= 1 else { return false }
        self.seconds = 0
        solve(settings, table: &table)
        return true
    }

    private mutating func visit(
        _ column: Int, _ standings: [Standing], _ weight: Float, settings: RangingSettings, table: borrowing TrackTable
    ) {
        for row in places.indices where row != column && isKnown(row, table) {
            let standing = standings[places[row].slot]
            guard standing.isFresh, standing.count >= settings.minimumReadings, standing.loss.isFinite else { continue }
            let index = row * Self.capacity + column
            let kept = min(weights[index], Float(Self.visits) - weight)
            levels[index] = (levels[index] * kept - Float(standing.loss) * weight) / (kept + weight)
            weights[index] = kept + weight
        }
    }

    // MARK: - Places

    /// Whether the slot of a place still holds its beacon.
    private func isKnown(_ place: Int, _ table: borrowing TrackTable) -> Bool {
        let slot = places[place].slot
        return table[slot].isUsed && table[slot].id == places[place].id
    }

    private func place(of slot: Int, _ table: borrowing TrackTable) -> Int? {
        places.indices.first { places[$0].slot == slot && isKnown($0, table) }
    }

    private func variance(of standing: Standing, _ settings: RangingSettings) -> Double {
        min(settings.claimDeviation * settings.claimDeviation, standing.powerVariance)
    }

    private mutating func admit(
        _ slot: Int, _ standing: Standing, at time: Timestamp, settings: RangingSettings, table: inout TrackTable
    ) {
        // The level of one or two readings is too uncertain to be learned from.
        guard standing.count >= settings.minimumReadings else { return }
        let place = Place(
            slot: slot, id: table[slot].id, heard: time, variance: variance(of: standing, settings))
        guard places.count == Self.capacity else {
            if levels.isEmpty {
                levels = Array(repeating: 0, count: Self.capacity * Self.capacity)
                weights = levels
            }
            places.append(place)
            return
        }
        guard let oldest = places.indices.min(by: { places[$0].heard < places[$1].heard }) else { return }
        // A beacon that is received now is not replaced by another one that is.
        guard places[oldest].heard < time else { return }
        if isKnown(oldest, table) { table[places[oldest].slot].allowance = 0 }
        places[oldest] = place
        for other in 0..<Self.capacity {
            weights[oldest * Self.capacity + other] = 0
            weights[other * Self.capacity + oldest] = 0
        }
    }

    // MARK: - Equations

    private func solve(_ settings: RangingSettings, table: inout TrackTable) {
        // The unknowns are the errors of the claims.
        var equations = LinearEquations(count: places.count)
        for row in places.indices {
            equations.addPrior(row, value: 0, variance: max(places[row].variance, 1e-6))
        }
        let visitVariance = settings.placeDeviation * settings.placeDeviation
        let lossVariance = Self.lossDeviation * Self.lossDeviation
        for first in places.indices {
            for second in places.indices where second > first {
                let (there, back) = (first * Self.capacity + second, second * Self.capacity + first)
                let a = Double(weights[there]) / visitVariance
                let b = Double(weights[back]) / visitVariance
                guard a + b > 0 else { continue }
                // The inverse of the covariance of both: each has its own error, and the loss between the two is one.
                let shared = lossVariance / (1 + lossVariance * (a + b))
                let (aa, bb, ab) = (a - a * a * shared, b - b * b * shared, -a * b * shared)
                let (x, y) = (Double(levels[there]) + Self.typicalLoss, Double(levels[back]) + Self.typicalLoss)
                equations.add(first, first, aa)
                equations.add(second, second, bb)
                equations.add(first, second, ab)
                equations.right[first] += aa * x + ab * y
                equations.right[second] += ab * x + bb * y
            }
        }
        let wrongBy = equations.solution()
        for row in places.indices where isKnown(row, table) {
            table[places[row].slot].allowance = Float((-wrongBy[row]).clamped(to: -Self.limit...Self.limit))
        }
    }
}
