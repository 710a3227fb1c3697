/// How much weaker a beacon is than usual, by all scanners with a usual level. Scanners where its level is steady
/// count more.
struct MeanLevel: Sendable {
    /// dB from the usual level.
    private(set) var deviation = 0.0
    /// dB by which the usual level has changed since it was learned.
    private(set) var drift = 0.0
    /// dB of certain loss beyond what counts within minutes. What people usually take away does not count.
    private(set) var excess = -Double.infinity
    /// dB that count as a loss after half a day.
    private(set) var late = Double.infinity
    /// Scanners that have a usual level.
    private(set) var known = 0

    init(_ witnesses: [Witness]) {
        known = witnesses.count { $0.usual != nil }
        // A scanner that receives the beacon at its limit does not know how much weaker it is.
        let hasClear = witnesses.contains { $0.usual != nil && !$0.isAtLimit }
        var weights = (sum: 0.0, squares: 0.0)
        var (loss, spread, dip) = (0.0, 0.0, 0.0)
        for witness in witnesses where !hasClear || !witness.isAtLimit {
            guard let here = witness.deviation else { continue }
            let weight = 1 / (1 + witness.spread * witness.spread)
            weights.sum += weight
            weights.squares += weight * weight
            deviation += weight * here
            drift += weight * witness.reading.drift
            loss += weight * witness.loss
            spread += weight * witness.spread
            dip += weight * max(witness.reading.dip, witness.reading.fall)
        }
        guard weights.sum > 0 else { return }
        deviation /= weights.sum
        drift /= weights.sum
        // Differences between the scanners partly cancel out in their mean, by 1 over the root of the effective number
        // of scanners (Kish, "Survey Sampling", 1965).
        let alone = (weights.squares / (weights.sum * weights.sum)).squareRoot()
        // If few packets are received even usually, their levels show less.
        let isFaint = witnesses.allSatisfy { $0.usual ?? Witness.floor < Witness.floor + 12 }
        let least = 7.5 + 3.5 * alone + (isFaint ? 1.5 : 0)
        late = max(6 + 2 * alone, 4.5 * spread / weights.sum)
        excess = loss / weights.sum - max(least, 3.3 * spread / weights.sum, (0.8 + 0.4 * alone) * dip / weights.sum)
    }
}
