import Ranging

/// What the levels of a beacon at all scanners show: whether it is weaker everywhere, was moved, or is at two places.
struct LevelEvidence: Sendable {
    /// Evidence of a minute, as in `HealthCase`.
    private(set) var weak: Double?
    private(set) var moved: Double?
    private(set) var impostor: Double?
    /// dB from the usual level, over all scanners with a usual level.
    private(set) var deviation = 0.0
    /// The scanners with a usual level.
    private(set) var count = 0
    /// Scanners that receive the beacon far weaker (`losing`) or far stronger (`gaining`) than usual.
    private(set) var losing: [Witness] = []
    private(set) var gaining: [Witness] = []
    /// dB: the change since the usual level was learned, over all scanners.
    private(set) var drift = 0.0

    init(_ witnesses: [Witness]) {
        let mean = MeanLevel(witnesses)
        (deviation, drift) = (mean.deviation, mean.drift)
        count = witnesses.count { $0.deviation != nil }
        for witness in witnesses {
            let isAlone = witness.deviation != nil && mean.known == 1
            if witness.loss >= max(8, 4 * witness.spread) { losing.append(witness) }
            if witness.gain >= max(isAlone ? 10 : 8, 4 * witness.spread) { gaining.append(witness) }
        }
        guard count > 0 else { return }
        weighWeak(witnesses, mean)
        weighPlaces(witnesses, isSilent: mean.known > count)
    }

    private mutating func weighWeak(_ witnesses: [Witness], _ mean: MeanLevel) {
        let alike = witnesses.count { $0.deviation.map { $0 <= 0.5 * deviation } ?? false }
        // A scanner with a faint or varying level can also show that the beacon is as strong as usual.
        let hasContrary = witnesses.contains { witness in
            guard witness.usual == nil, !witness.isAtLimit, let usual = witness.reading.usual,
                let level = witness.reading.level
            else { return false }
            return level - usual > 0.5 * deviation
        }
        let isLower = mean.excess >= 0 || deviation <= -mean.late
        if isLower, 4 * alike >= 3 * count, !hasContrary, gaining.isEmpty {
            weak = mean.excess >= 0 ? 0.75 + mean.excess / 3 : HealthCase.limit / Self.halfDay
        } else if drift <= -(count == 1 ? Self.longDrift + 2 : Self.longDrift) {
            weak = 1
        } else if deviation > -0.6 * mean.late {
            weak = -1
        }
    }

    /// Minutes that a small loss must last, so that people have gone home in the meantime.
    private static let halfDay = 720.0
    /// dB by which a usual level may fall in a quarter of a year.
    static let longDrift = 12.0

    private mutating func weighPlaces(_ witnesses: [Witness], isSilent: Bool) {
        // The scanners that receive the beacon well, and as usual.
        let unmoved = witnesses.count { $0.deviation.map { abs($0) <= 4 } ?? false && $0.reading.silence <= 1 }
        let most = (
            loss: witnesses.map(\.loss).max() ?? 0,
            // Also at scanners that received it only faintly before, if another scanner has lost it.
            gain: witnesses.map { $0.deviation == nil ? $0.approach : $0.gain }.max() ?? 0
        )
        let hasTurned = min(most.loss, most.gain) >= Self.turned / 2 && most.loss + most.gain >= Self.turned
        let hasLeft = witnesses.contains { $0.loss >= max(Self.left, 4 * $0.spread) }
        if !gaining.isEmpty && (!losing.isEmpty || unmoved == 0) || hasTurned {
            moved = 1 + (gaining.count + losing.count > 2 ? 1 : 0)
        } else if hasLeft, weak ?? -1 < 0 {
            // Not all scanners agree that it is weaker.
            moved = 1
        } else if !isSilent, witnesses.allSatisfy({ abs($0.difference) < max(5, 3 * $0.spread) }) {
            moved = -1
        }
        let isStrange = gaining.contains { $0.gain >= max(15, 6 * $0.spread) }
        if isStrange, losing.isEmpty, !isSilent, unmoved > 0 {
            // This counts less than a place that the beacon has left, because that shows only some minutes later.
            impostor = 0.8
        } else if witnesses.allSatisfy({ $0.difference < max(8, 3 * $0.spread) }) {
            impostor = -1
        }
    }

    /// dB between the loss of one scanner and the gain of another one. People in between do not cause this.
    static let turned = 14.0
    /// dB that one scanner has lost while another one receives the beacon as usual.
    private static let left = 13.5
}
