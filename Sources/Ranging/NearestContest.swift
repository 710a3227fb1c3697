import Beacon

/// What one beacon has gathered towards being the nearest.
struct ContestState {
    /// Lead over all others beyond the margin, summed over time: dB × s, never negative.
    var lead = 0.0
    /// The same over the present nearest alone.
    var leadOverNearest = 0.0
    /// How often it was left as the nearest, fading with the half-life, as of `leftAt`.
    private var departures = 0.0
    private var leftAt = Timestamp(microseconds: 0)

    mutating func clear() {
        lead = 0
        leadOverNearest = 0
    }

    /// It was the nearest until `time`.
    mutating func leave(at time: Timestamp, settings: RangingSettings) {
        departures = departures(at: time, settings: settings) + 1
        leftAt = time
    }

    func departures(at time: Timestamp, settings: RangingSettings) -> Double {
        guard departures > 0 else { return 0 }
        let halfLives = max(0, time.elapsed(since: leftAt)) / settings.returnPenaltyHalfLife
        return departures * powerOfTen(-0.30103 * halfLives)
    }

    mutating func limit(to time: Timestamp) {
        leftAt = min(leftAt, time)
    }
}

/// A beacon as the contest sees it.
struct Contender {
    var slot: Int
    var id: BeaconID
    /// Level over measured power, in dB: the negative path loss. The greater, the nearer.
    var strength: Double
    /// dB², of the level.
    var variance: Double
    /// Heard recently enough to become the nearest.
    var isFresh: Bool
    var state: ContestState
}

/// Decides which beacon is the nearest, so that it changes once when the visitor moves and not with the noise.
///
/// A sequential test: each challenger sums up, tick by tick, how far it leads *all* others beyond a margin, and
/// becomes the nearest when the sum suffices. A great lead decides at once, a small one has to last, noise takes back
/// what it gave. (Sums of this kind: E. S. Page, "Continuous Inspection Schemes", Biometrika 41, 1954; one hypothesis
/// against the strongest of the others: V. Dragalin et al., "Multihypothesis sequential probability ratio
/// tests", IEEE Trans. Inf. Theory 45, 1999.) Two that keep taking turns need more each time, unless
/// the lead is many standard deviations.
struct NearestContest {
    let settings: RangingSettings

    /// The slot of the beacon that is now the nearest; nil where none is heard.
    ///
    /// - Parameters:
    ///   - contenders: the beacons that have a level; their states are brought forward.
    ///   - present: the slot of the nearest so far.
    ///   - seconds: since the last decision.
    func decide(among contenders: inout [Contender], present: Int?, seconds: Double, at time: Timestamp) -> Int? {
        guard let leader = leader(among: contenders) else { return nil }
        guard let holder = contenders.indices.first(where: { contenders[$0].slot == present }) else {
            clear(&contenders)
            return contenders[leader].isFresh ? contenders[leader].slot : nil
        }
        var second = -Double.infinity
        for index in contenders.indices where index != leader {
            second = max(second, contenders[index].strength)
        }
        let first = contenders[leader].strength
        for index in contenders.indices where index != holder {
            let contender = contenders[index]
            let toOthers = contender.strength - (index == leader ? second : first)
            let toHolder = contender.strength - contenders[holder].strength
            contenders[index].state.lead = sum(contender.state.lead, toOthers, seconds)
            contenders[index].state.leadOverNearest = sum(contender.state.leadOverNearest, toHolder, seconds)
        }
        guard leader != holder, wins(contenders[leader], against: contenders[holder], at: time) else {
            return contenders[holder].slot
        }
        contenders[holder].state.leave(at: time, settings: settings)
        clear(&contenders)
        return contenders[leader].slot
    }

    /// The strongest that is fresh; where none is, the strongest.
    private func leader(among contenders: [Contender]) -> Int? {
        contenders.indices.max { left, right in
            let (a, b) = (contenders[left], contenders[right])
            if a.isFresh != b.isFresh { return b.isFresh }
            return a.strength != b.strength ? a.strength < b.strength : a.id > b.id
        }
    }

    private func sum(_ sum: Double, _ lead: Double, _ seconds: Double) -> Double {
        // One tick cannot say more than 16 dB do, for or against.
        (sum + (lead - settings.nearestMargin).clamped(to: -16...16) * seconds).clamped(to: 0...1e6)
    }

    private func wins(_ challenger: Contender, against holder: Contender, at time: Timestamp) -> Bool {
        guard challenger.isFresh else { return false }
        let difference = challenger.strength - holder.strength
        guard difference > 0 else { return false }
        let deviation = (challenger.variance + holder.variance).squareRoot()
        var factor = 1.0
        if difference < settings.decisiveDeviations * deviation {
            let departures = challenger.state.departures(at: time, settings: settings)
            factor = min(settings.returnPenaltyLimit, 1 + settings.returnPenalty * departures)
        }
        return challenger.state.lead >= factor * settings.nearestEvidence
            || challenger.state.leadOverNearest >= factor * settings.disputedEvidence
    }

    private func clear(_ contenders: inout [Contender]) {
        for index in contenders.indices {
            contenders[index].state.clear()
        }
    }
}
