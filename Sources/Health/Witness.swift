import Ranging

/// A scanner that is not blind, and its reading of a beacon in a minute.
struct Witness: Sendable {
    var scanner: String
    var isSettled: Bool
    var reading: HealthReading

    /// dBm: a beacon that is not received any more is at most this strong.
    static let floor = -95.0
    /// Minutes of silence after which a beacon counts as no longer received here.
    static let gone = 5

    /// dBm; nil if the beacon has no steady level here.
    var usual: Double? { reading.isSteady ? reading.usual : nil }

    /// dB above the usual level; for a beacon that fell silent, the most it can be. Nil if the reading shows nothing.
    var deviation: Double? {
        guard let usual, let level = heardOrGone(usual) else { return nil }
        return level - usual
    }

    /// dB above the level half an hour ago; nil if unknown.
    var change: Double? {
        guard let usual, let before = reading.before, let level = heardOrGone(usual) else { return nil }
        return level - before
    }

    private func heardOrGone(_ usual: Double) -> Double? {
        if let level = reading.level { return level }
        let isGone = reading.silence >= max(Self.gone, reading.missingAfter ?? .max)
        return isGone && Self.floor < usual - 8 ? Self.floor : nil
    }

    /// dB by which the scanner certainly receives the beacon weaker or stronger: the smaller one of the changes from
    /// the usual level and from half an hour ago. People in addition to a closed door can lower a level far below the
    /// usual one, but not all at once. A slow or an older change must therefore be farther from the usual level.
    var loss: Double { deviation.map { Self.sure(-$0, change.map { -$0 }) } ?? 0 }
    var gain: Double { deviation.map { Self.sure($0, change) } ?? surprise ?? 0 }

    static func sure(_ fromUsual: Double, _ fromBefore: Double?) -> Double {
        max(min(fromUsual, fromBefore ?? 0), fromUsual - unsure)
    }

    /// dB.
    static let unsure = 2.5

    /// The scanner receives the beacon as faintly as it can, or not at all.
    var isAtLimit: Bool { (reading.level ?? Self.floor) < Self.floor + 6 }

    /// dB, at least one.
    var spread: Double { max(1, reading.spread) }

    /// dB from the usual level. If the scanner usually receives the beacon faintly, rarely or not at all: dB from that
    /// faint level.
    var difference: Double { deviation ?? stranger ?? 0 }

    /// dB by which a beacon is stronger that the scanner usually receives faintly, rarely or not at all. Nil if that
    /// is not much.
    var surprise: Double? {
        guard let stranger, let level = reading.level, level >= Self.floor + 15 else { return nil }
        return stranger >= max(10, 6 * spread) ? stranger : nil
    }

    /// The same, also compared with half an hour ago. Not above 0 if the beacon is not received stronger.
    var approach: Double {
        guard let stranger, let level = reading.level else { return 0 }
        return min(stranger, level - max(Self.floor, reading.before ?? Self.floor))
    }

    private var stranger: Double? {
        guard isSettled, !reading.isSteady, reading.silence == 0, let level = reading.level else { return nil }
        return level - max(Self.floor, reading.usual ?? Self.floor)
    }
}
