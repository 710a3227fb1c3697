import Beacon

/// What the beacons' claims are wrong by against each other, learned from how they are heard together.
///
/// The way from one beacon to another is as long as the way back. So where the first is heard at the second with one
/// level, and the second at the first with another, the difference is that of what their claims are wrong by, however
/// often and however near the visitor went to either. What was heard at only one of the two says less: it is held
/// against how far beacons lie apart in general. All of it is one system of linear equations with a prior, solved once
/// a second (A. E. Hoerl, R. W. Kennard, "Ridge Regression", Technometrics 12, 1970).
struct ClaimEstimator {
    /// Beacons that are compared. Where one more is heard, the one not heard for longest makes room.
    static let capacity = 24
    /// dB that can be learned at most.
    static let limit = 12.0
    /// Seconds at one beacon that count as a visit, and visits that the memory holds.
    private static let visit = 5.0
    private static let visits = 3.0
    /// dB lost from one beacon to another, and the deviation from pair to pair. The mean is not learned: a beacon far
    /// away would change it, and with it who of the others is nearest.
    private static let typicalLoss = 20.0
    private static let lossDeviation = 10.0
    /// A place deviation from which on nothing is learned.
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
    /// At row · capacity + column: the level over its claim with which the row's beacon is heard where the column's is
    /// the nearest.
    private var levels: [Float] = []
    /// The same places: how many visits it comes from.
    private var weights: [Float] = []
    /// Since the equations were solved.
    private var seconds = 0.0

    /// Slots that are compared.
    var slots: [Int] { places.map(\.slot) }

    /// Takes in one instant.
    ///
    /// - Parameters:
    ///   - strongest: slots of those that are heard, strongest first.
    ///   - seconds: since the last instant.
    /// - Returns: whether allowances have changed.
    mutating func note(
        _ strongest: [Int], standings: [Standing], at time: Timestamp, seconds: Double, settings: RangingSettings,
        table: inout TrackTable
    ) -> Bool {
        guard settings.placeDeviation < Self.offDeviation, let nearest = strongest.first, seconds > 0 else {
            return false
        }
        // First those that are known: a new one must not take the place of one that is heard now.
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
        // Who does not lead by the margin is not known to be the nearest.
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
        // Of one or two readings the level is too uncertain to be remembered.
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
        // Who is heard does not make room for another that is.
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
        // Unknown: what each claim is wrong by.
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
