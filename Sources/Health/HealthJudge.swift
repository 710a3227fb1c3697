package import Beacon

/// Finds the problems of each beacon from the readings of all scanners, minute by minute. A plain value without a
/// clock: its results depend on the readings alone.
///
/// The scanners have learned what is usual, so the judge keeps little state itself. A new one soon agrees with the
/// others.
package struct HealthJudge: Sendable {
    /// The maximum number of beacons that are judged. Further ones are ignored until others are forgotten.
    package static let mostBeacons = 10_000
    /// The same for visitors: above this, only beacons are added whose usual state a scanner has learned.
    package static let mostVisitors = 5000

    /// Beacons that should be present.
    package var expected = KnownBeacons()
    private var cases: [BeaconID: BeaconCases] = [:]
    /// Minutes in which at least one scanner was not blind.
    private var watched = 0

    package init() {}

    /// The health of each beacon whose usual state is known, or that is expected, in their order.
    package var health: [BeaconHealth] {
        cases.values.map(\.health).filter { $0.isLearned || !$0.problems.isEmpty || expected.isExpected($0.beacon) }
            .sorted { $0.beacon < $1.beacon }
    }

    package func health(of beacon: BeaconID) -> BeaconHealth? { cases[beacon]?.health }

    /// Continues from health that was reported before, by this judge or by another one.
    package mutating func adopt(_ known: BeaconHealth) {
        guard cases[known.beacon] != nil || cases.count < Self.mostBeacons else { return }
        cases[known.beacon, default: BeaconCases(known.beacon)].adopt(known)
    }

    /// Judges one minute of all scanners.
    ///
    /// - Parameter readings: at most one entry for each scanner. A scanner without an entry counts as absent.
    /// - Returns: the problems that have begun or ended, in the order of the beacons.
    package mutating func judge(_ minute: Int64, _ readings: [ScannerReadings]) -> [HealthChange] {
        let awake = readings.filter { !$0.isBlind }.sorted { $0.scanner < $1.scanner }
        guard !awake.isEmpty else { return [] }
        watched += 1
        for scanner in awake { hear(scanner) }
        for beacon in expected.expected.compactMap(\.id) where cases[beacon] == nil && cases.count < Self.mostBeacons {
            cases[beacon] = BeaconCases(beacon)
        }
        var changes: [HealthChange] = []
        var index = cases.values.startIndex
        while index < cases.values.endIndex {
            let isExpected = !expected.isEmpty && expected.isExpected(cases.values[index].health.beacon)
            let news = cases.values[index].judge(minute, isExpected: isExpected, watched: watched)
            if !news.isEmpty { changes += news }
            cases.values[index].witnesses = []
            cases.values.formIndex(after: &index)
        }
        if watched % 60 == 0 { cases.removeAll { [expected] in $1.isForgotten && !expected.isExpected($0) } }
        return changes.sorted { ($0.beacon, $0.problem.kind) < ($1.beacon, $1.problem.kind) }
    }

    private mutating func hear(_ scanner: ScannerReadings) {
        // If most intervals become longer at the same time, the scanner loses more packets than before.
        let estimates = scanner.readings.count { $0.interval != nil && $0.usualInterval != nil }
        let longer = scanner.readings.count { reading in
            guard let now = reading.interval, let usual = reading.usualInterval else { return false }
            return now > 1.2 * usual
        }
        let hearsLess = estimates >= 3 && 2 * longer > estimates
        let isUpset = isUpset(scanner)
        for var reading in scanner.readings {
            // There may be any number of visitors. They count only if another scanner knows the beacon.
            let most = reading.isLearned ? Self.mostBeacons : Self.mostVisitors
            guard cases[reading.beacon] != nil || cases.count < most else { continue }
            if hearsLess { reading.interval = nil }
            if isUpset { reading.isSteady = false }
            cases[reading.beacon, default: BeaconCases(reading.beacon)].witnesses.append(
                Witness(scanner: scanner.scanner, isSettled: scanner.isSettled && !isUpset, reading: reading))
        }
    }

    /// Several beacons are far weaker or far stronger at the same time: the scanner was moved, not the beacons. If all
    /// of them are weaker, the reason may be people.
    private func isUpset(_ scanner: ScannerReadings) -> Bool {
        var (known, lost, won) = (0, 0, 0)
        for reading in scanner.readings where cases[reading.beacon]?.health.isLearned ?? false {
            // The level of a beacon that people carry always changes.
            guard reading.spread <= ScannerHealth.steadySpread else { continue }
            let witness = Witness(scanner: scanner.scanner, isSettled: scanner.isSettled, reading: reading)
            let far = max(Self.far, 4 * witness.spread)
            known += 1
            if witness.difference <= -far { lost += 1 }
            if witness.difference >= far { won += 1 }
        }
        return lost > 0 && won > 0 && lost + won >= 3 && 3 * (lost + won) >= known
    }

    /// dB.
    private static let far = 7.0
}
