package import Beacon

/// What a scanner reports about a beacon at the end of a minute: how it receives it now, and what is usual. Scanners
/// exchange nothing else.
package struct HealthReading: Hashable, Sendable {
    package var beacon: BeaconID
    /// Minutes of silence while the scanner was not blind. 0: the beacon was received in this minute.
    package var silence: Int
    /// Minutes of silence after which the beacon is missing; nil if silence is not unusual.
    package var missingAfter: Int?
    /// The share of minutes in which the beacon is received.
    package var share: Double
    /// dBm: the strongest level of the last minutes; nil if the beacon was silent in all of them.
    package var level: Double?
    /// dBm: the level half an hour ago, corrected by the change that all beacons of this scanner share; nil if
    /// unknown.
    package var before: Double?
    /// dBm: the usual level, corrected in the same way; nil while the beacon is new.
    package var usual: Double?
    /// The beacon is always near that level: it is not carried about, and not too faint.
    package var isSteady: Bool
    /// dB: how far the level usually is from the usual one.
    package var spread: Double
    /// dB by which the level usually falls for some minutes: below the usual one, and below the level half an hour
    /// before.
    package var dip: Double
    package var fall: Double
    /// dB by which the usual level has changed since it was learned.
    package var drift: Double
    /// Seconds between two packets, by the newest estimate; nil if there was none in this minute.
    package var interval: Double?
    package var usualInterval: Double?
    /// Another device seems to have sent the same identity in this minute.
    package var hasIntruder: Bool
    package var claim: Int8
    package var usualClaim: Int8?
    /// Percent; nil if the beacon does not report it.
    package var battery: Int?

    package init(
        beacon: BeaconID, silence: Int = 0, missingAfter: Int? = nil, share: Double = 0, level: Double? = nil,
        before: Double? = nil, usual: Double? = nil, isSteady: Bool = false, spread: Double = 0, dip: Double = 0,
        fall: Double = 0, drift: Double = 0, interval: Double? = nil, usualInterval: Double? = nil,
        hasIntruder: Bool = false, claim: Int8, usualClaim: Int8? = nil, battery: Int? = nil
    ) {
        self.beacon = beacon
        self.silence = silence
        self.missingAfter = missingAfter
        self.share = share
        self.level = level
        self.before = before
        self.usual = usual
        self.isSteady = isSteady
        self.spread = spread
        self.dip = dip
        self.fall = fall
        self.drift = drift
        self.interval = interval
        self.usualInterval = usualInterval
        self.hasIntruder = hasIntruder
        self.claim = claim
        self.usualClaim = usualClaim
        self.battery = battery
    }

    /// Whether this scanner knows what is usual for this beacon.
    package var isLearned: Bool { missingAfter != nil }
}

/// What a scanner reports about all beacons at the end of a minute.
package struct ScannerReadings: Hashable, Sendable {
    package var scanner: String
    /// Minutes since 1970.
    package var minute: Int64
    package var isBlind: Bool
    /// The scanner has been at its place long enough to know which beacons it does not receive.
    package var isSettled: Bool
    package var readings: [HealthReading]

    package init(
        scanner: String, minute: Int64, isBlind: Bool, isSettled: Bool, readings: [HealthReading]
    ) {
        self.scanner = scanner
        self.minute = minute
        self.isBlind = isBlind
        self.isSettled = isSettled
        self.readings = readings
    }

    /// Several receivers at one place, merged into one scanner. For each beacon, the receiver that receives it best
    /// counts.
    ///
    /// - Parameter all: readings of the same minute; at least one.
    package init(merging all: [ScannerReadings], scanner: String) {
        self.init(
            scanner: scanner, minute: all.first?.minute ?? 0, isBlind: all.allSatisfy(\.isBlind),
            isSettled: all.contains(where: \.isSettled), readings: [])
        var best: [BeaconID: HealthReading] = [:]
        for reading in all.lazy.filter({ !$0.isBlind }).flatMap(\.readings) {
            guard let known = best[reading.beacon] else {
                best[reading.beacon] = reading
                continue
            }
            let isBetter = (reading.usual ?? -200, reading.level ?? -200) > (known.usual ?? -200, known.level ?? -200)
            var chosen = isBetter ? reading : known
            chosen.silence = min(reading.silence, known.silence)
            chosen.hasIntruder = reading.hasIntruder || known.hasIntruder
            best[reading.beacon] = chosen
        }
        readings = best.values.sorted { $0.beacon < $1.beacon }
    }
}
