import Ranging

/// Where one beacon may be: a probability for each cell of the map. Each second they are moved on, and weighted by what
/// was received. (A hidden Markov model's forward filter: L. Rabiner, "A Tutorial on Hidden Markov Models", Proc. IEEE
/// 77, 1989; over the cells of a building: D. Fox et al., "Markov Localization for Mobile Robots in Dynamic
/// Environments", JAIR 11, 1999.)
///
/// Old knowledge fades, and numbers are kept as multiples of a small quantum. So two locators that started with
/// different knowledge and receive the same are soon equal, bit by bit.
struct BeaconLocator: Sendable {
    /// What one scanner received in one second. Scanners are indices in the map.
    struct Level {
        var scanner: Int
        var level: Double
    }

    /// How much scanners differed from the map, in dB, weighted by how certain the place is.
    typealias Residual = (scanner: Int, decibels: Double)

    /// Probabilities are multiples of the first, levels and variances of the second.
    static let quantum = 1.0 / 4096
    private static let levelQuantum = 0.5
    static let pausesPerSecond = 64.0

    /// By cell: the probability that it is there and stands still, and that it is there and moves.
    var still: [Double]
    var moving: [Double]
    /// dBm at 1 m, as the fleet receives this beacon, and its variance.
    private(set) var reference: Double
    var referenceVariance: Double
    /// The levels at 1 m that fitted in this minute.
    private var fitted: (sum: Double, count: Double) = (0, 0)
    /// The second in which each scanner last received it.
    var lastHeard: [Int64]
    var lastSecond: Int64?
    /// Mean seconds between those in which any scanner receives it.
    var pause = 1.0
    /// Whether nothing is known about where it is, so that it may be in any cell.
    var isAnywhere: Bool

    init(_ map: RoomMap, in room: Int? = nil, reference: Double? = nil) {
        let isKnown = room.map { room in map.cells.contains { $0.room == room } } ?? false
        let probabilities = map.cells.map { !isKnown || $0.room == room ? 1.0 : 0 }
        let sum = max(1, probabilities.reduce(0, +))
        still = probabilities.map { $0 / sum / 2 }
        moving = still
        isAnywhere = !isKnown
        self.reference = reference ?? map.model.reference
        let spread = reference == nil ? map.model.referenceSpread : map.model.commonSpread
        referenceVariance = spread * spread
        lastHeard = Array(repeating: .min, count: map.places.count)
    }

    /// Takes over what another locator has learned.
    mutating func adopt(reference: Double) { self.reference = reference }

    /// The probability that the beacon is in each cell.
    var probabilities: [Double] { zip(still, moving).map(+) }

    /// Moves the probabilities on by a second.
    mutating func move(_ map: RoomMap) {
        let (starting, stopping) = (map.model.starting, map.model.stopping)
        var next = map.steps.applied(to: zip(still, moving).map { $0 * starting + $1 * (1 - stopping) })
        let anywhere = map.jump / Double(max(1, map.cells.count))
        for cell in next.indices {
            next[cell] = next[cell] * (1 - map.jump) + anywhere
            still[cell] = still[cell] * (1 - starting) + moving[cell] * stopping
        }
        moving = next
        isAnywhere = false
    }

    /// Forgets where it is: after a long silence it may be anywhere.
    mutating func forgetPlace(_ map: RoomMap) {
        still = map.cells.map { _ in 0.5 / Double(max(1, map.cells.count)) }
        (moving, isAnywhere) = (still, true)
    }

    /// Weights the cells by what was received in a second.
    ///
    /// - Parameters:
    ///   - levels: not empty, the strongest first.
    ///   - offsets: dB by which each scanner receives more than the map says.
    ///   - awake: scanners that could have received it.
    /// - Returns: how much the scanners differ from what was expected.
    mutating func hear(
        _ levels: [Level], second: Int64, offsets: [Double], awake: [Int], map: RoomMap
    ) -> [Residual] {
        if let lastSecond { pause += 0.1 * (Double(elapsed(lastSecond, second)) - pause) }
        lastSecond = second
        for level in levels { lastHeard[level.scanner] = second }
        let levels = levels.prefix(map.model.mostScanners)
        var likelihood = CellLikelihood(
            levels, silent: silentScanners(awake, second: second), offsets: offsets,
            reference: (reference, referenceVariance), map: map)
        var weights = [Double](repeating: 0, count: map.cells.count)
        var references = weights
        var best = -Double.infinity
        for cell in weights.indices {
            (weights[cell], references[cell]) = likelihood.of(cell)
            best = max(best, weights[cell])
        }
        var sum = 0.0
        for cell in weights.indices {
            weights[cell] = exponential((weights[cell] - best) / map.model.correlation)
            sum += weights[cell] * (still[cell] + moving[cell])
        }
        guard sum > 0 else { return [] }
        for cell in weights.indices {
            still[cell] *= weights[cell] / sum
            moving[cell] *= weights[cell] / sum
        }
        isAnywhere = false
        quantize(second)
        var expected = 0.0
        for cell in references.indices { expected += (still[cell] + moving[cell]) * references[cell] }
        fitted.sum += expected
        fitted.count += 1
        return residuals(levels, references: references, offsets: offsets, map: map)
    }

    /// Rounds all probabilities to multiples of the quantum. What is rounded already stays as it is.
    private mutating func quantize(_ second: Int64) {
        var (total, likeliest) = (0.0, 0)
        for cell in still.indices {
            still[cell] = Self.quantized(still[cell], Self.quantum, second: second, place: 2 * cell)
            moving[cell] = Self.quantized(moving[cell], Self.quantum, second: second, place: 2 * cell + 1)
            total += still[cell] + moving[cell]
            if still[cell] > still[likeliest] { likeliest = cell }
        }
        // Compensates the rounding, so that the sum is one. Two locators cannot differ in that.
        if !still.isEmpty { still[likeliest] = max(Self.quantum, still[likeliest] + 1 - total) }
    }

    /// How many scanners say something about where it is now: those awake that have received it in the last minute,
    /// whether or not they receive it now.
    func informants(awake: [Int], second: Int64) -> Int {
        awake.count { lastHeard[$0] != .min && elapsed(lastHeard[$0], second) < 60 }
    }

    /// Seconds from one instant to a later one, a minute at most; 0 if the clock was set back.
    private func elapsed(_ earlier: Int64, _ later: Int64) -> Int64 {
        min(60, max(0, RoomResolver.seconds(from: earlier, to: later)))
    }

    /// Rounds up or down, depending on the second and the place. If it always rounded to the nearest, two numbers that
    /// differ by one quantum and converge slowly would never become equal.
    private static func quantized(_ value: Double, _ quantum: Double, second: Int64, place: Int = 0) -> Double {
        var mixed = UInt64(bitPattern: second) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(place) &* 0xD134_2543_DE82_EF95
        mixed = (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9
        let share = Double(mixed >> 11) / Double(1 << 53 as UInt64)
        return (value / quantum + share).rounded(.down) * quantum
    }

    /// Scanners that are awake, but have not received this beacon for longer than its pauses explain.
    private func silentScanners(_ awake: [Int], second: Int64) -> [Int] {
        let limit = min(59, Int64(max(3, 3 * pause).rounded()))
        return awake.filter { lastHeard[$0] == .min || elapsed(lastHeard[$0], second) > limit }
    }

    /// Ends a minute, at the same second in all resolvers. The beacon's level moves halfway to the minute's result.
    mutating func endMinute(_ second: Int64) {
        // A checkpoint also has these numbers as multiples.
        if !isAnywhere { quantize(second) }
        pause = (pause * Self.pausesPerSecond).rounded() / Self.pausesPerSecond
        guard fitted.count > 0 else { return }
        let share = 0.5 * fitted.count / (fitted.count + 10)
        let learned = reference + share * (fitted.sum / fitted.count - reference)
        reference = Self.quantized(learned, Self.levelQuantum, second: second)
        referenceVariance = Self.quantized(max(4, referenceVariance * (1 - share)), Self.levelQuantum, second: second)
        fitted = (0, 0)
    }

    private func residuals(
        _ levels: ArraySlice<Level>, references: [Double], offsets: [Double], map: RoomMap
    ) -> [Residual] {
        levels.map { level in
            var sum = 0.0
            for cell in references.indices {
                let probability = still[cell] + moving[cell]
                guard probability > 0 else { continue }
                let loss = map.losses[cell * map.places.count + level.scanner]
                sum += probability * (level.level - offsets[level.scanner] + loss - references[cell])
            }
            return (level.scanner, sum)
        }
    }
}
