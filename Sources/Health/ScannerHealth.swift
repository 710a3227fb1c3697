package import Beacon
import Ranging

/// What one scanner learns about its beacons. A plain value: it takes minutes and returns readings.
package struct ScannerHealth: Hashable, Sendable {
    /// The maximum number of known beacons. Beacons that are not yet learned make room.
    package static let mostBeacons = 2000
    /// Minutes of silence after which a beacon is forgotten: a month.
    static let memory: Int64 = 43_200

    package let scanner: String
    /// Minutes until a level counts as usual.
    package var learning: Double
    /// Beacons that should be present. An hour is enough to learn their levels.
    package var expected = KnownBeacons()

    /// Minutes so far in which the scanner was not blind.
    package internal(set) var age = 0.0
    package internal(set) var receptions: [BeaconID: Reception] = [:]
    /// Minutes in which beacons have had other levels, each in a different way, which shows that the scanner was
    /// moved.
    var scattered = 0.0
    private(set) var lastMinute: Int64 = 0

    /// - Parameter learning: minutes until a level counts as usual; a day by default.
    package init(scanner: String, learning: Double = 1440) {
        self.scanner = scanner
        self.learning = max(1, learning)
    }

    /// Continues with the stored state.
    ///
    /// - Parameter age: minutes in which the scanner was not blind.
    package mutating func restore(age: Double, _ receptions: [BeaconID: Reception]) {
        self.age = age.clamped(to: 0...1e9)
        if receptions.count <= Self.mostBeacons { self.receptions = receptions }
    }

    func learning(_ beacon: BeaconID) -> Double { expected.isExpected(beacon) ? min(60, learning) : learning }

    /// Takes one minute. Minutes out of order are ignored.
    package mutating func take(_ minute: ScannerMinute) -> ScannerReadings {
        // A clock that was set far back starts again.
        if minute.minute < lastMinute - 60 { lastMinute = 0 }
        guard minute.minute > lastMinute else { return readings(minute, [:], shift: (0, 0)) }
        lastMinute = minute.minute
        guard !minute.isBlind else { return readings(minute, [:], shift: (0, 0)) }
        age += 1
        var now: [BeaconID: (interval: Double?, hasIntruder: Bool)] = [:]
        now.reserveCapacity(minute.heard.count)
        var isFull = false
        for heard in minute.heard where heard.level.isFinite && now[heard.beacon] == nil {
            if receptions[heard.beacon] == nil {
                // What is learned stays so in this minute, and with it the answer.
                if !isFull { isFull = !makeRoom() }
                guard !isFull else { continue }
            }
            let learning = learning(heard.beacon)
            receptions[heard.beacon, default: Reception(heard)].push(heard.level.clamped(to: -127...20))
            let hasIntruder =
                receptions[heard.beacon]?.hear(heard, minute: minute.minute, settledAfter: learning) ?? false
            now[heard.beacon] = (heard.interval, hasIntruder)
        }
        miss { now[$0] == nil }
        let shift = commonShift
        learnLevels(now.keys, shift: shift)
        if minute.minute % 60 == 0 { forget(at: minute.minute) }
        return readings(minute, now, shift: shift)
    }

    /// Notes a minute of silence for the beacons that are silent.
    private mutating func miss(_ isSilent: (BeaconID) -> Bool) {
        // By index: a loop over the keys would keep the table, and its first change would copy it.
        var index = receptions.startIndex
        while index != receptions.endIndex {
            let beacon = receptions.keys[index]
            if isSilent(beacon) {
                let missingAfter = receptions.values[index].missingAfter(settledAfter: learning(beacon))
                receptions.values[index].presence.miss(missingAfter: missingAfter)
                receptions.values[index].push(nil)
            }
            receptions.formIndex(after: &index)
        }
    }

    // MARK: - Room

    /// Makes room for another beacon.
    ///
    /// - Returns: whether there is room. There is none if all beacons are learned or expected.
    private mutating func makeRoom() -> Bool {
        guard receptions.count >= Self.mostBeacons else { return true }
        // Only what the order needs: the receptions are large.
        var unlearned: [(lastHeard: Int64, beacon: BeaconID)] = []
        for (beacon, reception) in receptions
        where reception.presence.age * reception.presence.share < 60 && !expected.isExpected(beacon) {
            unlearned.append((reception.lastHeard, beacon))
        }
        unlearned.sort { ($0.lastHeard, $0.beacon) < ($1.lastHeard, $1.beacon) }
        for (_, beacon) in unlearned.prefix(Self.mostBeacons / 10) { receptions[beacon] = nil }
        return receptions.count < Self.mostBeacons
    }

    private mutating func forget(at minute: Int64) {
        receptions.removeAll { [expected] beacon, reception in
            // A visitor is forgotten after a day.
            let isKnown = reception.presence.age * reception.presence.share >= 600 || expected.isExpected(beacon)
            return minute - reception.lastHeard >= (isKnown ? Self.memory : 1440)
        }
    }

    // MARK: - Readings

    private func readings(
        _ minute: ScannerMinute, _ now: [BeaconID: (interval: Double?, hasIntruder: Bool)],
        shift: (fromUsual: Double, fromBefore: Double)
    ) -> ScannerReadings {
        var readings: [HealthReading] = []
        readings.reserveCapacity(receptions.count)
        for beacon in receptions.keys.sorted() {
            guard let reception = receptions[beacon] else { continue }
            let learning = learning(beacon)
            let presence = reception.presence
            let usual = reception.level.mean + shift.fromUsual
            let isSteady = isSteady(reception, learning) && usual >= Reception.faintest
            let isAudible = usual >= Reception.inaudible
            readings.append(
                HealthReading(
                    beacon: beacon, silence: Int(presence.silence),
                    missingAfter: isAudible ? reception.missingAfter(settledAfter: learning) : nil,
                    share: presence.share, level: reception.recent.level,
                    before: reception.recent.before.map { $0 + shift.fromBefore },
                    usual: reception.level.count >= learning ? usual : nil, isSteady: isSteady,
                    spread: reception.level.spread, dip: reception.level.dips.usual, fall: reception.level.falls.usual,
                    drift: isSteady ? reception.level.drift : 0, interval: now[beacon]?.interval,
                    usualInterval: reception.intervals >= Reception.enoughIntervals ? reception.interval : nil,
                    hasIntruder: now[beacon]?.hasIntruder ?? false,
                    claim: reception.claimChanged > 0 ? reception.newClaim : reception.claim,
                    usualClaim: presence.age >= learning ? reception.claim : nil,
                    battery: reception.battery.map { Int($0) }))
        }
        return ScannerReadings(
            scanner: scanner, minute: minute.minute, isBlind: minute.isBlind, isSettled: age >= learning,
            readings: readings)
    }
}
