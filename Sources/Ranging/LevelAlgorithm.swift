/// How a level is computed from readings. The first algorithm is this project's. The others are those of other
/// scanners, with their published constants, for comparison.
package enum LevelAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// A short window of time, averaged between dB and power (`RangingSettings.strengthBias`), outliers cut.
    case window
    /// AltBeacon: the mean of 20 s without the weakest and the strongest tenth. At most 24 readings of the 20 s are
    /// kept here, evenly spread, which is all that a mean over so long a time needs.
    case altBeaconMean = "altbeacon-mean"
    /// AltBeacon's auto-regressive filter: the level moves a tenth of the way to each new reading.
    case arma
    /// Home Assistant's moving average: the level moves three tenths of the way to each new reading.
    case ewma
    /// room-assistant: a Kalman filter of a constant level, with R = 4 and Q = 0.008 for each reading.
    case kalman
}

/// A level that is updated with each reading, so that no readings are kept.
struct RecursiveLevel {
    private var value: Float = 0
    /// dB² of the level, for the Kalman filter.
    private var uncertainty: Float = 0
    private var isSet = false

    mutating func reset() {
        isSet = false
    }

    mutating func add(_ rssi: Int8, algorithm: LevelAlgorithm) {
        let reading = Float(rssi)
        guard isSet else {
            (value, uncertainty, isSet) = (reading, 4, true)
            return
        }
        switch algorithm {
        case .window, .altBeaconMean: break
        case .arma: value += 0.1 * (reading - value)
        case .ewma: value += 0.3 * (reading - value)
        case .kalman:
            let predicted = uncertainty + 0.008
            let gain = predicted / (predicted + 4)
            value += gain * (reading - value)
            uncertainty = (1 - gain) * predicted
        }
    }

    func level(algorithm: LevelAlgorithm, settings: RangingSettings) -> Level {
        let single = settings.readingDeviation * settings.readingDeviation
        // A sum of weights a · (1 - a)^k has the variance a / (2 - a) of a single reading.
        let variance =
            switch algorithm {
            case .arma: single * 0.1 / 1.9
            case .ewma: single * 0.3 / 1.7
            case .window, .altBeaconMean, .kalman: Double(uncertainty)
            }
        return Level(value: Double(value), variance: variance)
    }
}
