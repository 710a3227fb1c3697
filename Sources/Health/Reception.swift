import Beacon
import Ranging

/// A beacon at a scanner: what is usual, and the last minutes.
package struct Reception: Hashable, Sendable {
    var presence = UsualPresence()
    var level = UsualLevel()
    var recent = RecentLevels()
    /// dBm: about the last level that was heard.
    var lastLevel = 0.0
    /// Minutes since 1970.
    var lastHeard: Int64 = 0

    /// Seconds, and how many estimates it is from.
    var interval: Double?
    var intervals = 0.0
    /// Minutes for which the interval has been shorter than usual.
    var shorter = 0.0
    /// Packets a minute.
    var count = 0.0
    /// dB.
    var jump = 0.0
    /// The share of minutes with gaps that follow no interval, and with senders that came back.
    var irregular = 0.0
    var returning = 0.0

    /// dBm at 1 m.
    var claim: Int8 = 0
    var newClaim: Int8 = 0
    /// Minutes for which another claim has been heard.
    var claimChanged = 0.0

    var battery: Int?
    /// The octet was a percentage once.
    var hasBattery = false

    /// Estimates of the interval that are enough.
    static let enoughIntervals = 20.0

    init(claim: Int8) {
        self.claim = claim
        newClaim = claim
    }

    init(_ heard: BeaconMinute) {
        self.init(claim: heard.claim)
        count = Double(heard.count)
        jump = heard.jump
        level.begin(at: heard.level)
        lastLevel = heard.level
    }

    /// dBm: of what is fainter, only the stronger packets are received. Its level says little, and its silence, too.
    static let faintest = -86.0
    /// dBm: what has just been heard as faintly as this can fall silent for a while.
    static let limit = -89.0
    /// dBm: what is fainter is heard by chance, if at all.
    static let inaudible = -91.0

    /// Minutes of silence after which the beacon is missing; nil where not enough is known.
    func patience(settledAfter learning: Double) -> Int? {
        presence.patience(
            settledAfter: learning, heard: level.count,
            isFaint: level.mean < Self.faintest || lastLevel < Self.limit)
    }

    mutating func push(_ level: Double?) {
        if let level { lastLevel += 0.1 * (level - lastLevel) }
        recent.push(level)
    }

    /// How much a new value counts among those that are known.
    private var weight: Double { 1 / min(max(1, presence.age * presence.share), UsualLevel.memory) }

    /// A minute in which the beacon was heard.
    ///
    /// - Returns: whether something else seems to have sent its identity as well.
    mutating func hear(_ heard: BeaconMinute, minute: Int64, settledAfter learning: Double) -> Bool {
        presence.hear()
        lastHeard = minute
        let isSettled = presence.age >= learning
        let hasIntruder = isSettled && seemsDouble(heard)
        // What an intruder does is not usual, unless it goes on for weeks.
        let weight = hasIntruder ? self.weight / 10 : self.weight
        returning += ((heard.returns >= Self.manyReturns ? 1 : 0) - returning) * weight
        irregular += ((heard.isIrregular ? 1 : 0) - irregular) * weight
        count += (Double(heard.count) - count) * weight
        jump += (heard.jump - jump) * weight
        learn(interval: heard.interval)
        learn(claim: heard.claim, isSettled: isSettled)
        learn(battery: heard.battery)
        return hasIntruder
    }

    /// Twice in a minute may be chance.
    private static let manyReturns = 3

    private func seemsDouble(_ heard: BeaconMinute) -> Bool {
        if heard.returns >= Self.manyReturns, returning < 0.05 { return true }
        guard let interval, intervals >= Self.enoughIntervals, irregular < 0.1 else { return false }
        let hasMore = Double(heard.count) > 1.35 * count && heard.count >= 12
        // Packets between the usual ones, at no interval of their own.
        if heard.isIrregular, hasMore { return true }
        // Two senders in step look like one that sends twice as often, but their levels differ.
        return heard.interval.map { $0 < 0.7 * interval } ?? false && hasMore && heard.jump > jump + 3
    }

    private mutating func learn(interval new: Double?) {
        guard let new, new.isFinite, new > 0 else { return }
        guard let usual = interval else {
            (interval, intervals) = (new, 1)
            return
        }
        intervals = min(intervals + 1, UsualLevel.memory)
        // One that sends more often has got another setting, and that is no fault.
        shorter = new < 0.8 * usual ? shorter + 1 : 0
        if shorter >= 30 {
            (interval, intervals, shorter) = (new, Self.enoughIntervals, 0)
            return
        }
        let most = intervals < Self.enoughIntervals ? 0.5 : 0.1
        interval = usual * (1 + (new / usual - 1).clamped(to: -most...most) / intervals)
    }

    private mutating func learn(claim heard: Int8, isSettled: Bool) {
        guard heard != claim else {
            claimChanged = 0
            return
        }
        claimChanged = heard == newClaim ? claimChanged + 1 : 1
        newClaim = heard
        // Before anything is usual, the last one counts; later, one that has been there for a week.
        if !isSettled && claimChanged >= 10 || claimChanged >= UsualLevel.memory {
            claim = heard
            claimChanged = 0
        }
    }

    /// An octet that is always 0, or above 100, is something else.
    private mutating func learn(battery octet: UInt8?) {
        guard let octet, octet <= 100 else { return battery = nil }
        hasBattery = hasBattery || octet > 0
        battery = hasBattery ? Int(octet) : nil
    }
}
