import Ranging

/// A scanner that can hear, and what it says of a beacon in a minute.
struct Witness: Sendable {
    var scanner: String
    var isSettled: Bool
    var reading: HealthReading

    /// dBm: what is heard no more is at most as strong as this.
    static let floor = -95.0
    /// Minutes of silence after which a beacon counts as one that is no longer heard here.
    static let gone = 5

    /// dBm; nil where the beacon has no level that it always has.
    var usual: Double? { reading.isSteady ? reading.usual : nil }

    /// dB above the usual level; of a beacon that fell silent, at most. Nil where that says nothing.
    var deviation: Double? {
        guard let usual, let level = heardOrGone(usual) else { return nil }
        return level - usual
    }

    /// dB above the level of half an hour before. Nil where that is not known.
    var change: Double? {
        guard let usual, let before = reading.before, let level = heardOrGone(usual) else { return nil }
        return level - before
    }

    private func heardOrGone(_ usual: Double) -> Double? {
        if let level = reading.level { return level }
        return reading.silence >= max(Self.gone, reading.patience ?? .max) && Self.floor < usual - 8 ? Self.floor : nil
    }

    /// dB by which it hears the beacon weaker or stronger for sure: compared with what is usual, and with half an hour
    /// before. People who come on top of a closed door lower a level far below the usual one, but not all at once. What
    /// has changed slowly, or longer ago, has to be farther from the usual level instead.
    var loss: Double { deviation.map { Self.sure(-$0, change.map { -$0 }) } ?? 0 }
    var gain: Double { deviation.map { Self.sure($0, change) } ?? surprise ?? 0 }

    static func sure(_ fromUsual: Double, _ fromBefore: Double?) -> Double {
        max(min(fromUsual, fromBefore ?? 0), fromUsual - unsure)
    }

    /// dB.
    static let unsure = 2.5

    /// It hears the beacon as faintly as it can, or no more.
    var isAtLimit: Bool { (reading.level ?? Self.floor) < Self.floor + 6 }

    /// dB, at least one.
    var spread: Double { max(1, reading.spread) }

    /// dB from the usual level, or from the faintest one where it usually hears the beacon faintly, seldom or not at
    /// all.
    var difference: Double { deviation ?? stranger ?? 0 }

    /// dB by which it hears a beacon stronger that it usually hears faintly, seldom or not at all. Nil where that is
    /// not much.
    var surprise: Double? {
        guard let stranger, let level = reading.level, level >= Self.floor + 15 else { return nil }
        return stranger >= max(10, 6 * spread) ? stranger : nil
    }

    /// The same, and compared with half an hour before; not above 0 where it is not heard stronger.
    var approach: Double {
        guard let stranger, let level = reading.level else { return 0 }
        return min(stranger, level - max(Self.floor, reading.before ?? Self.floor))
    }

    private var stranger: Double? {
        guard isSettled, !reading.isSteady, reading.silence == 0, let level = reading.level else { return nil }
        return level - max(Self.floor, reading.usual ?? Self.floor)
    }
}
