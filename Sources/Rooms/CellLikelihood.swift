import Ranging

/// How well each cell explains what was received of a beacon in one second. Prepared once for the beacon, and asked for
/// each cell.
struct CellLikelihood {
    /// By cell and scanner, as the map has them.
    private let losses: [Double]
    private let spreads: [Double]
    private let scanners: Int
    private let model: RoomModel
    /// dBm at 1 m as far as it was known before, and the reciprocal of the variance of what is expected now.
    private let reference: Double
    private let certainty: Double
    /// Without what their scanners' antennas add.
    private let levels: [BeaconLocator.Level]
    /// Scanners that did not receive it, with the level of which they would have received half of the packets.
    private let silent: [BeaconLocator.Level]
    /// By level, for the cell that is asked for: dBm at 1 m, and the reciprocal of its variance.
    private var atOneMetre: [Double]
    private var certainties: [Double]

    /// - Parameters:
    ///   - levels: not empty.
    ///   - silent: scanners that could have received it and did not.
    ///   - offsets: dB by which each scanner receives more than the map says.
    ///   - reference: the beacon's level at 1 m in dBm, and its variance.
    init(
        _ levels: ArraySlice<BeaconLocator.Level>, silent: [Int], offsets: [Double],
        reference: (level: Double, variance: Double), map: RoomMap
    ) {
        (losses, spreads, scanners, model) = (map.losses, map.spreads, map.places.count, map.model)
        self.reference = reference.level
        certainty = 1 / (model.commonSpread * model.commonSpread + reference.variance)
        self.levels = levels.map { BeaconLocator.Level(scanner: $0.scanner, level: $0.level - offsets[$0.scanner]) }
        self.silent = silent.map { [sensitivity = map.model.sensitivity] scanner in
            BeaconLocator.Level(scanner: scanner, level: sensitivity - offsets[scanner])
        }
        atOneMetre = Array(repeating: 0, count: levels.count)
        certainties = atOneMetre
    }

    /// The logarithm of the likelihood of a cell, and the level at 1 m which fits it best.
    mutating func of(_ cell: Int) -> (logarithm: Double, reference: Double) {
        let first = cell * scanners
        // One logarithm for each product, because logarithms take much of the time.
        var (deviations, widths, silence) = (LogarithmOfProduct(), LogarithmOfProduct(), LogarithmOfProduct())
        var (sum, weight) = (reference * certainty, certainty)
        for index in levels.indices {
            let level = levels[index]
            let spread = spreads[first + level.scanner]
            atOneMetre[index] = level.level + losses[first + level.scanner]
            certainties[index] = 1 / (spread * spread)
            sum += atOneMetre[index] * certainties[index]
            weight += certainties[index]
            widths.multiply(by: spread)
        }
        // Again with outliers counting less.
        let roughly = sum / weight
        (sum, weight) = (reference * certainty, certainty)
        for index in levels.indices {
            let deviation = atOneMetre[index] - roughly
            let share =
                certainties[index] * (model.freedom + 1)
                / (model.freedom + deviation * deviation * certainties[index])
            sum += atOneMetre[index] * share
            weight += share
        }
        let fitted = sum / weight
        for index in levels.indices {
            let deviation = atOneMetre[index] - fitted
            deviations.multiply(by: 1 + deviation * deviation * certainties[index] / model.freedom)
        }
        for scanner in silent {
            let above = fitted - losses[first + scanner.scanner] - scanner.level
            let unheard = 1 / (1 + exponential(1.7 * above / model.sensitivitySpread))
            // A packet may always be lost.
            silence.multiply(by: 0.03 + 0.97 * unheard)
        }
        let logarithm =
            -0.5 * (fitted - reference) * (fitted - reference) * certainty
            - 0.5 * (model.freedom + 1) * deviations.value - widths.value + model.silenceWeight * silence.value
        return (logarithm, fitted)
    }
}
