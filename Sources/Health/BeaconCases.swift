import Beacon
import Ranging

/// The cases for all problems of one beacon, and its health as the scanners last reported it.
struct BeaconCases: Sendable {
    private var cases = OpenCases()
    /// The scanners that are not blind and have a reading of the beacon in this minute.
    var witnesses: [Witness] = []
    private(set) var health: BeaconHealth
    /// Minutes in which no scanner had a reading of it.
    private var unmentioned = 0

    /// Minutes after which an expected beacon is missing if it was never received.
    static let expectation = 10

    init(_ beacon: BeaconID) {
        health = BeaconHealth(beacon: beacon)
    }

    /// Nothing is known about the beacon any more.
    var isForgotten: Bool { unmentioned > 60 && health.problems.isEmpty }

    /// Continues from health that was reported before: with these problems and no others.
    mutating func adopt(_ known: BeaconHealth) {
        cases = OpenCases()
        for problem in known.problems { cases.adopt(problem) }
        health.problems = cases.problems
        health.lastHeard = health.lastHeard ?? known.lastHeard
    }

    /// - Parameters:
    ///   - isExpected: the configuration says that the beacon should be present.
    ///   - watched: minutes in which at least one scanner was not blind.
    /// - Returns: the problems that have begun or ended.
    mutating func judge(_ minute: Int64, isExpected: Bool, watched: Int) -> [HealthChange] {
        note(minute)
        let isKnown = witnesses.contains { $0.reading.isLearned }
        var news: [HealthCase.News?] = []
        if isKnown {
            weigh(minute, into: &news)
        } else if isExpected, health.lastHeard == nil {
            news.append(weighExpected(minute, watched))
        } else if unmentioned > 60, !isExpected {
            news = cases.endAll()
        } else if witnesses.contains(where: { $0.reading.silence == 0 }) {
            news.append(cases.end(.missing))
        }
        let changes = news.compactMap { news -> HealthChange? in
            switch news {
            case .began(let problem): HealthChange(beacon: health.beacon, problem: problem, isOver: false)
            case .ended(let problem): HealthChange(beacon: health.beacon, problem: problem, isOver: true)
            case nil: nil
            }
        }
        if !changes.isEmpty { health.problems = cases.problems }
        return changes
    }

    private mutating func note(_ minute: Int64) {
        unmentioned = witnesses.isEmpty ? unmentioned + 1 : 0
        health.isLearned = witnesses.contains { $0.reading.isLearned }
        health.level = witnesses.lazy.compactMap(\.reading.level).max()
        if witnesses.contains(where: { $0.reading.silence == 0 }) { health.lastHeard = minute * 60 }
        if let interval = witnesses.lazy.compactMap(\.reading.interval).min() { health.interval = interval }
        health.battery = witnesses.lazy.compactMap(\.reading.battery).min() ?? health.battery
    }

    // MARK: - Evidence of a minute

    private mutating func weigh(_ minute: Int64, into news: inout [HealthCase.News?]) {
        news.append(weighMissing(minute))
        // A beacon that is received only now and then is also weaker in the minutes between.
        guard witnesses.contains(where: { $0.reading.level != nil }) else { return }
        let hasIntruder = witnesses.contains { $0.reading.hasIntruder }
        let levels = LevelEvidence(witnesses)
        // Two senders have no common level.
        if !hasIntruder {
            // Minutes without evidence speak against a loss until it has been reported.
            let loss = levels.weak ?? (cases.hasProblem(.weak) ? nil : -0.25)
            news.append(cases.weigh(.weak, loss, at: minute, words: HealthWords.weak(levels, witnesses)))
            news.append(cases.weigh(.moved, levels.moved, at: minute, words: HealthWords.moved(levels, witnesses)))
        }
        guard witnesses.contains(where: { $0.reading.silence == 0 }) else { return }
        news.append(weighImpostor(minute, levels, hasIntruder: hasIntruder))
        news.append(weighSlow(minute))
        news.append(weighClaim(minute, levels))
        news.append(weighBattery(minute))
    }

    private mutating func weighMissing(_ minute: Int64) -> HealthCase.News? {
        let silence = witnesses.map(\.reading.silence).min() ?? 0
        guard silence > 0 else { return cases.end(.missing) }
        guard let missingAfter = witnesses.compactMap(\.reading.missingAfter).min(), silence >= missingAfter else {
            return nil
        }
        // The silence itself was already weighed. Every scanner knows when it began, so one that was added later
        // agrees.
        return cases.settle(
            .missing, since: (minute - Int64(silence) + 1) * 60,
            words: HealthWords.missing(witnesses.filter { $0.reading.missingAfter != nil }, missingAfter: missingAfter))
    }

    private mutating func weighExpected(_ minute: Int64, _ watched: Int) -> HealthCase.News? {
        guard watched >= Self.expectation else { return nil }
        return cases.settle(
            .missing, since: (minute - Int64(watched)) * 60, words: HealthWords.neverHeard(minutes: watched))
    }

    private mutating func weighImpostor(
        _ minute: Int64, _ levels: LevelEvidence, hasIntruder: Bool
    ) -> HealthCase.News? {
        if hasIntruder, let witness = witnesses.first(where: { $0.reading.hasIntruder }) {
            return cases.weigh(.impostor, 1.5, at: minute, words: HealthWords.twice(witness))
        }
        let evidence = max(-0.75, levels.impostor ?? -0.75)
        return cases.weigh(.impostor, evidence, at: minute, words: HealthWords.elsewhere(levels, witnesses))
    }

    private mutating func weighSlow(_ minute: Int64) -> HealthCase.News? {
        var nearest: (ratio: Double, now: Double, usual: Double)?
        for witness in witnesses {
            // A scanner that loses many packets measures a longer interval, never a shorter one.
            guard let now = witness.reading.interval, let usual = witness.reading.usualInterval else { continue }
            if now / usual < nearest?.ratio ?? .infinity { nearest = (now / usual, now, usual) }
        }
        guard let (ratio, now, usual) = nearest else { return nil }
        let evidence = ratio >= 1.25 ? (ratio >= 1.8 ? 1.4 : 1.0) : ratio < 1.12 ? -1.0 : nil
        return cases.weigh(.slow, evidence, at: minute, words: HealthWords.slow(now: now, usual: usual))
    }

    private mutating func weighClaim(_ minute: Int64, _ levels: LevelEvidence) -> HealthCase.News? {
        for witness in witnesses where witness.reading.silence == 0 {
            let claimed = witness.reading.claim
            if claimed > Self.strongestClaim {
                return cases.weigh(.claim, 1, at: minute, words: HealthWords.claimImpossible(claimed))
            }
            if let usual = witness.usual, usual > Double(claimed) + Self.closest {
                return cases.weigh(.claim, 1, at: minute, words: HealthWords.claimExceeded(witness, level: usual))
            }
            guard let usual = witness.reading.usualClaim, usual != claimed else { continue }
            let change = Double(claimed) - Double(usual)
            // Without a usual level it is unknown whether the new measured power is right.
            guard abs(change) >= 3, levels.count > 0 else { return nil }
            // If the received level has changed by as much, the beacon was configured again.
            guard abs(levels.deviation - change) > max(3, abs(change) / 2) else { return nil }
            return cases.weigh(.claim, 1, at: minute, words: HealthWords.claimChanged(witness, from: usual))
        }
        return cases.weigh(.claim, -1, at: minute, words: "")
    }

    /// dBm at 1 m: no beacon with a permitted transmit power reaches this.
    static let strongestClaim: Int8 = -20
    /// dB above the level at 1 m: no scanner is placed so close to a beacon.
    static let closest = 25.0

    private mutating func weighBattery(_ minute: Int64) -> HealthCase.News? {
        guard let percent = health.battery else { return nil }
        let evidence = percent <= 15 ? 1.0 : percent >= 25 ? -1.0 : nil
        return cases.weigh(.battery, evidence, at: minute, words: HealthWords.battery(percent))
    }
}
