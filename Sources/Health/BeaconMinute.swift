package import Beacon

/// What one scanner received from one beacon in one minute.
package struct BeaconMinute: Hashable, Sendable {
    package var beacon: BeaconID
    /// The number of packets; at least one.
    package var count: Int
    /// dBm: a tenth of the packets are stronger. People and doors lower this level less than the mean.
    package var level: Double
    /// dB: the mean difference between one packet and the next.
    package var jump: Double
    /// Seconds between two packets that were sent, estimated from the gaps between the received ones. Nil if there are
    /// too few gaps, or if they follow no interval.
    package var interval: Double?
    /// There are enough gaps, and they are not multiples of one interval.
    package var isIrregular: Bool
    /// How often a sender was received again after another one with the same identity but another address or measured
    /// power.
    package var returns: Int
    /// dBm at 1 m: the measured power of most packets.
    package var claim: Int8
    /// The octet after the measured power; nil if the frame has none.
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

/// What one scanner received in one minute.
package struct ScannerMinute: Hashable, Sendable {
    /// Minutes since 1970.
    package var minute: Int64
    /// The scanner was blind for most of the minute, so silence means nothing.
    package var isBlind: Bool
    /// At most one entry for each beacon.
    package var heard: [BeaconMinute]

    package init(minute: Int64, isBlind: Bool = false, heard: [BeaconMinute]) {
        self.minute = minute
        self.isBlind = isBlind
        self.heard = heard
    }
}
