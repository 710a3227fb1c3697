import Beacon
import Ranging

/// A beacon at a scanner: what is usual, and the last minutes.
package struct Reception: Hashable, Sendable {
    // Vectors first and small values last: so there is no padding between them. There are thousands of receptions.

    var recent = RecentLevels()
    var level = UsualLevel()
    var presence = UsualPresence()
    /// dBm: about the level that was last received.
    var lastLevel = 0.0
    /// Minutes since 1970.
    var lastHeard: Int64 = 0

    /// The number of estimates that the interval is based on.
    var intervals = 0.0
    /// Minutes in which the interval has been shorter than usual.
    var shorter = 0.0
    /// Packets per minute.
    var count = 0.0
    /// dB.
    var jump = 0.0
    /// The share of minutes with gaps that follow no interval, and of minutes in which senders came back.
    var irregular = 0.0
    var returning = 0.0
    /// Minutes in which another measured power has been received.
    var claimChanged = 0.0

    /// Seconds.
    var interval: Double?
    /// dBm at 1 m.
    var claim: Int8 = 0
    var newClaim: Int8 = 0
    /// Percent.
    var battery: UInt8?
    /// The octet was greater than 0 at least once, so it is a percentage.
    var hasBattery = false

    /// The number of estimates of the interval that is enough.
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

    /// dBm: below this, only the stronger packets are received. The level then shows little, and so does silence.
    static let faintest = -86.0
    /// dBm: a beacon that was received as faintly as this can fall silent for a while.
    static let limit = -89.0
    /// dBm: below this, packets are received by chance, if at all.
    static let inaudible = -91.0

    /// Minutes of silence after which the beacon is missing; nil if not enough is known.
    func missingAfter(settledAfter learning: Double) -> Int? {
        presence.missingAfter(
            settledAfter: learning, heard: level.count,
            isFaint: level.mean < Self.faintest || lastLevel < Self.limit)
    }

    mutating func push(_ level: Double?) {
        if let level { lastLevel += 0.1 * (level - lastLevel) }
        recent.push(level)
    }

    /// The weight of a new value against the known ones.
    private var weight: Double { 1 / min(max(1, presence.age * presence.share), UsualLevel.memory) }

    /// Takes a minute in which the beacon was received.
    ///
    /// - Returns: whether another device seems to have sent its identity.
    mutating func hear(_ heard: BeaconMinute, minute: Int64, settledAfter learning: Double) -> Bool {
        presence.hear()
        lastHeard = minute
        let isSettled = presence.age >= learning
        let hasIntruder = isSettled && seemsDouble(heard)
        // The effect of an intruder is not usual, unless it lasts for weeks.
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

    /// Two returns in a minute may be chance.
    private static let manyReturns = 3

    private func seemsDouble(_ heard: BeaconMinute) -> Bool {
        if heard.returns >= Self.manyReturns, returning < 0.05 { return true }
        guard let interval, intervals >= Self.enoughIntervals, irregular < 0.1 else { return false }
        let hasMore = Double(heard.count) > 1.35 * count && heard.count >= 12
        // There are packets between the usual ones, at no interval of their own.
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
        // A beacon that sends more often was configured again. That is no fault.
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
        // Before anything is usual, the latest measured power counts. Later, a new one counts after a week.
        if !isSettled && claimChanged >= 10 || claimChanged >= UsualLevel.memory {
            claim = heard
            claimChanged = 0
        }
    }

    /// An octet that is always 0, or above 100, is not a battery level.
    private mutating func learn(battery octet: UInt8?) {
        guard let octet, octet <= 100 else { return battery = nil }
        hasBattery = hasBattery || octet > 0
        battery = hasBattery ? octet : nil
    }
}
