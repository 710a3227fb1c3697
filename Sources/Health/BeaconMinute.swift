package import Beacon

/// What one scanner heard of one beacon in one minute.
package struct BeaconMinute: Hashable, Sendable {
    package var beacon: BeaconID
    /// Packets, at least one.
    package var count: Int
    /// dBm: a tenth of the packets are stronger. People and doors lower it less than the mean.
    package var level: Double
    /// dB: the mean difference between one packet and the next.
    package var jump: Double
    /// Seconds between two packets that were sent, by the gaps between those that were received. Nil where those are
    /// too few, or follow no interval.
    package var interval: Double?
    /// There are enough gaps, and they are not multiples of one interval.
    package var isIrregular: Bool
    /// How often a sender came back after another one with the same identity: with another address or another claim.
    package var returns: Int
    /// dBm at 1 m: the measured power of most packets.
    package var claim: Int8
    /// The octet behind the measured power; nil where the frame has none.
    package var battery: UInt8?

    package init(
        beacon: BeaconID, count: Int, level: Double, jump: Double = 0, interval: Double? = nil,
        isIrregular: Bool = false, returns: Int = 0, claim: Int8, battery: UInt8? = nil
    ) {
        self.beacon = beacon
        self.count = count
        self.level = level
        self.jump = jump
        self.interval = interval
        self.isIrregular = isIrregular
        self.returns = returns
        self.claim = claim
        self.battery = battery
    }
}

/// What one scanner heard in one minute.
package struct ScannerMinute: Hashable, Sendable {
    /// Minutes since 1970.
    package var minute: Int64
    /// The scanner could not hear in most of the minute: silence means nothing.
    package var isBlind: Bool
    /// At most one of each beacon.
    package var heard: [BeaconMinute]

    package init(minute: Int64, isBlind: Bool = false, heard: [BeaconMinute]) {
        self.minute = minute
        self.isBlind = isBlind
        self.heard = heard
    }
}
