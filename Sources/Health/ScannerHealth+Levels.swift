import Beacon

// What the levels of all beacons have in common, and whether the scanner itself was moved.
extension ScannerHealth {
    /// Whether the beacon has a usual level here that a weaker one can be compared with.
    func isSteady(_ reception: Reception, _ learning: Double) -> Bool {
        reception.level.count >= learning && reception.presence.share >= 0.8
            && reception.level.spread <= Self.steadySpread && reception.level.mean >= Reception.faintest
    }

    /// dB: a beacon whose level varies more is carried about.
    static let steadySpread = 5.0

    /// dB by which the scanner receives all its beacons stronger than usual, and stronger than half an hour ago. The
    /// reason is another antenna, or people around the scanner. 0 if there are too few beacons to know.
    var commonShift: (fromUsual: Double, fromBefore: Double) {
        var deviations: [Double] = []
        var changes: [Double] = []
        deviations.reserveCapacity(receptions.count)
        changes.reserveCapacity(receptions.count)
        for (beacon, reception) in receptions where isSteady(reception, learning(beacon)) {
            guard let level = reception.recent.level else { continue }
            deviations.append(level - reception.level.mean)
            if let before = reception.recent.before { changes.append(level - before) }
        }
        return (Self.median(deviations), Self.median(changes))
    }

    private static func median(_ values: [Double]) -> Double {
        guard values.count >= 3 else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    mutating func learnLevels(
        _ heard: Dictionary<BeaconID, (interval: Double?, hasIntruder: Bool)>.Keys,
        shift: (fromUsual: Double, fromBefore: Double)
    ) {
        noteScatter(shift: shift.fromUsual)
        for beacon in heard {
            guard let reception = receptions[beacon], let level = reception.recent.level else { continue }
            let learning = learning(beacon)
            let fall = reception.recent.before.map { $0 + shift.fromBefore - level }
            receptions[beacon]?.level.learn(
                deviation: level - reception.level.mean - shift.fromUsual, fall: fall, settledAfter: learning)
        }
        // The scanner was moved, not the beacons. Levels are learned again from here.
        guard scattered >= Self.longScatter else { return }
        scattered = 0
        age = 0
        receptions = receptions.mapValues { reception in
            var reception = reception
            reception.level.begin(at: reception.recent.level ?? reception.level.mean)
            return reception
        }
    }

    /// Counts the minutes in which most beacons are far from their usual levels, each in a different way. It uses the
    /// newest minute, so that this is noticed before the beacons themselves seem to have changed.
    private mutating func noteScatter(shift: Double) {
        var (known, lost, won, silent) = (0, 0, 0, 0)
        for (beacon, reception) in receptions {
            // Also beacons that it usually receives faintly, or now and then: they can come closer.
            guard reception.level.count >= learning(beacon), reception.level.spread <= Self.steadySpread else {
                continue
            }
            let usual = reception.level.mean + shift
            if let newest = reception.recent.newest {
                known += 1
                let far = max(6, 4 * reception.level.spread)
                if newest - usual < -far { lost += 1 }
                if newest - usual > far { won += 1 }
            } else if usual > Self.clear, reception.presence.share > 0.99 {
                silent += 1
            }
        }
        // If beacons fall silent and the others are received as usual, the silent ones have no power.
        if lost + won >= 2 {
            known += silent
            lost += silent
        }
        let far = lost + won
        if far >= 3, 2 * far > known {
            scattered += Self.longScatter / 3
        } else if far >= 3, 3 * far >= known, lost > 0, won > 0 {
            scattered += 1
        } else {
            scattered = 0
        }
    }

    /// Minutes in which several beacons must have had other levels. If most of them have, three minutes are enough.
    private static let longScatter = 360.0

    /// dBm: a beacon that is usually received so well is received in every minute.
    private static let clear = -80.0
}
