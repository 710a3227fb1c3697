package import Beacon

/// What is wrong with each beacon, by what all scanners say minute by minute. A plain value without a clock: its
/// answers are a function of the readings.
///
/// The scanners have learned what is usual, so that it remembers little itself: a newcomer agrees with others soon.
package struct HealthJudge: Sendable {
    /// Beacons that are judged at most. Further ones are ignored until others are forgotten.
    package static let mostBeacons = 5000

    /// Beacons that are known to be there.
    package var expected = KnownBeacons()
    private var cases: [BeaconID: BeaconCases] = [:]
    /// Minutes for which there has been a scanner that can hear.
    private var watched = 0

    package init() {}

    /// The health of each beacon whose usual state is known, or that is expected, in their order.
    package var health: [BeaconHealth] {
        cases.values.map(\.health).filter { $0.isLearned || !$0.problems.isEmpty || expected.isExpected($0.beacon) }
            .sorted { $0.beacon < $1.beacon }
    }

    package func health(of beacon: BeaconID) -> BeaconHealth? { cases[beacon]?.health }

    /// Goes on with what was told before, by this one or by another.
    package mutating func adopt(_ known: BeaconHealth) {
        guard cases[known.beacon] != nil || cases.count < Self.mostBeacons else { return }
        cases[known.beacon, default: BeaconCases(known.beacon)].adopt(known)
    }

    /// One minute of all scanners.
    ///
    /// - Parameter readings: at most one of each scanner. One without is not there.
    /// - Returns: what has begun or ended, in the order of the beacons.
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
            cases.values[index].witnesses.removeAll(keepingCapacity: true)
            cases.values.formIndex(after: &index)
        }
        if watched % 60 == 0 { cases = cases.filter { !$0.value.isForgotten || expected.isExpected($0.key) } }
        return changes.sorted { ($0.beacon, $0.problem.kind) < ($1.beacon, $1.problem.kind) }
    }

    private mutating func hear(_ scanner: ScannerReadings) {
        // Where most intervals are longer at once, the scanner misses more than before.
        let estimates = scanner.readings.count { $0.interval != nil && $0.usualInterval != nil }
        let longer = scanner.readings.count { reading in
            guard let now = reading.interval, let usual = reading.usualInterval else { return false }
            return now > 1.2 * usual
        }
        let hearsLess = estimates >= 3 && 2 * longer > estimates
        let isUpset = isUpset(scanner)
        for var reading in scanner.readings {
            // Visitors come in any number; they are witnesses only where another scanner knows the beacon.
            guard reading.isLearned || cases[reading.beacon] != nil || cases.count < Self.mostBeacons else { continue }
            if hearsLess { reading.interval = nil }
            if isUpset { reading.isSteady = false }
            cases[reading.beacon, default: BeaconCases(reading.beacon)].witnesses.append(
                Witness(scanner: scanner.scanner, isSettled: scanner.isSettled && !isUpset, reading: reading))
        }
    }

    /// Several beacons at once are heard by far weaker or stronger: not they have another place, but the scanner has.
    /// Where all of them are weaker, it may be people.
    private func isUpset(_ scanner: ScannerReadings) -> Bool {
        var (known, lost, won) = (0, 0, 0)
        for reading in scanner.readings where cases[reading.beacon]?.health.isLearned ?? false {
            // One that is carried about is always heard in another way.
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
