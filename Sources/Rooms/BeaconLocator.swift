import Ranging

/// Where one beacon may be: a probability for each cell of the map, which each second moves on and is weighed by what
/// was heard. (A hidden Markov model's forward filter: L. Rabiner, "A Tutorial on Hidden Markov Models", Proc. IEEE 77,
/// 1989; over the cells of a building: D. Fox et al., "Markov Localization for Mobile Robots in Dynamic Environments",
/// JAIR 11, 1999.)
///
/// What was true is forgotten in time, and numbers are kept as multiples of a small quantum: two locators that started
/// with different knowledge and hear the same are soon equal, bit by bit.
struct BeaconLocator: Sendable {
    /// What was heard in a second, of a scanner by its index in the map.
    struct Level {
        var scanner: Int
        var level: Double
    }

    /// By how much scanners differed from the map, in dB, weighed with how certain the place is.
    typealias Residual = (scanner: Int, decibels: Double)

    /// Probabilities are multiples of the first, levels and variances of the second.
    static let quantum = 1.0 / 4096
    private static let levelQuantum = 0.5
    static let pausesPerSecond = 64.0

    /// Cell by cell: that it is there and stands still, and that it is there and moves.
    var still: [Double]
    var moving: [Double]
    /// dBm at 1 m, as the fleet hears this beacon, and the variance of that.
    private(set) var reference: Double
    var referenceVariance: Double
    /// Of this minute: the levels at 1 m that fitted.
    private var fitted: (sum: Double, count: Double) = (0, 0)
    /// The second in which each scanner heard it last.
    var lastHeard: [Int64]
    var lastSecond: Int64?
    /// Seconds between those in which anybody hears it.
    var pause = 1.0
    /// It may be in any cell: nothing is known of where it is.
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

    /// That the beacon is in each cell.
    var probabilities: [Double] { zip(still, moving).map(+) }

    /// A second passes.
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

    /// It was silent for so long that it may be anywhere.
    mutating func forgetPlace(_ map: RoomMap) {
        still = map.cells.map { _ in 0.5 / Double(max(1, map.cells.count)) }
        (moving, isAnywhere) = (still, true)
    }

    /// Weighs the cells by what was heard in a second.
    ///
    /// - Parameters:
    ///   - levels: not empty, the strongest first.
    ///   - offsets: dB by which each scanner hears more than the map says.
    ///   - awake: scanners that could have heard it.
    /// - Returns: by how much the scanners differ from what was expected.
    mutating func hear(
        _ levels: [Level], second: Int64, offsets: [Double], awake: [Int], map: RoomMap
    ) -> [Residual] {
        if let lastSecond { pause += 0.1 * (Double(elapsed(lastSecond, second)) - pause) }
        lastSecond = second
        for level in levels { lastHeard[level.scanner] = second }
        let levels = levels.prefix(map.model.mostScanners)
        let silent = silentScanners(awake, second: second)
        var weights = [Double](repeating: 0, count: map.cells.count)
        var references = weights
        var best = -Double.infinity
        for cell in weights.indices {
            (weights[cell], references[cell]) = likelihood(of: cell, levels, silent: silent, offsets: offsets, map: map)
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
        // What the rounding took or gave, so that the sum is one: two locators cannot differ in that.
        if !still.isEmpty { still[likeliest] = max(Self.quantum, still[likeliest] + 1 - total) }
    }

    /// How many scanners say something of where it is now: of those that are awake, those that have heard it in the
    /// last minute, whether or not they hear it now.
    func informants(awake: [Int], second: Int64) -> Int {
        awake.count { lastHeard[$0] != .min && elapsed(lastHeard[$0], second) < 60 }
    }

    /// Seconds from one instant to a later one, a minute at most. A clock that was set back has not moved.
    private func elapsed(_ earlier: Int64, _ later: Int64) -> Int64 {
        min(60, max(0, RoomResolver.seconds(from: earlier, to: later)))
    }

    /// Rounded up or down, by what the second and the place say: always to the nearest, two numbers that differ by one
    /// quantum and grow together slowly would never meet.
    private static func quantized(_ value: Double, _ quantum: Double, second: Int64, place: Int = 0) -> Double {
        var mixed = UInt64(bitPattern: second) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(place) &* 0xD134_2543_DE82_EF95
        mixed = (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9
        let share = Double(mixed >> 11) / Double(1 << 53 as UInt64)
        return (value / quantum + share).rounded(.down) * quantum
    }

    /// Awake, and without a word of this beacon for longer than its pauses explain.
    private func silentScanners(_ awake: [Int], second: Int64) -> [Int] {
        let limit = min(59, Int64(max(3, 3 * pause).rounded()))
        return awake.filter { lastHeard[$0] == .min || elapsed(lastHeard[$0], second) > limit }
    }

    /// The logarithm of the likelihood of a cell, and the level at 1 m which fits it best.
    private func likelihood(
        of cell: Int, _ levels: ArraySlice<Level>, silent: [Int], offsets: [Double], map: RoomMap
    ) -> (Double, reference: Double) {
        let model = map.model
        let first = cell * map.places.count
        let prior = model.commonSpread * model.commonSpread + referenceVariance
        // Twice: the second time those that are far off count less.
        var fitted = reference
        for round in 0..<2 {
            var (sum, weight) = (reference / prior, 1 / prior)
            for level in levels {
                let at1m = level.level - offsets[level.scanner] + map.losses[first + level.scanner]
                let variance = map.spreads[first + level.scanner] * map.spreads[first + level.scanner]
                let deviation = (at1m - fitted) * (at1m - fitted) / variance
                let share = round == 0 ? 1 : (model.freedom + 1) / (model.freedom + deviation)
                sum += at1m * share / variance
                weight += share / variance
            }
            fitted = sum / weight
        }
        // Of each product one logarithm: they are what takes the time.
        var (deviations, spreads, silence) = (LogarithmOfProduct(), LogarithmOfProduct(), LogarithmOfProduct())
        for level in levels {
            let at1m = level.level - offsets[level.scanner] + map.losses[first + level.scanner]
            let spread = map.spreads[first + level.scanner]
            let deviation = (at1m - fitted) * (at1m - fitted) / (spread * spread)
            deviations.multiply(by: 1 + deviation / model.freedom)
            spreads.multiply(by: spread)
        }
        for scanner in silent {
            let above = fitted - map.losses[first + scanner] + offsets[scanner] - model.sensitivity
            let unheard = 1 / (1 + exponential(1.7 * above / model.sensitivitySpread))
            // A packet may always be lost.
            silence.multiply(by: 0.03 + 0.97 * unheard)
        }
        let logarithmic =
            -0.5 * (fitted - reference) * (fitted - reference) / prior
            - 0.5 * (model.freedom + 1) * deviations.value - spreads.value + model.silenceWeight * silence.value
        return (logarithmic, fitted)
    }

    /// A minute is over, at the same second everywhere: what it said about the beacon's level is believed by half.
    mutating func endMinute(_ second: Int64) {
        // A checkpoint has these numbers as multiples too.
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
