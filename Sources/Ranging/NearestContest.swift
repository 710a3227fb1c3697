import Beacon

/// Decides which beacon is the nearest, so that it changes once when the visitor moves and not with the noise.
///
/// A sequential test: each challenger sums up, tick by tick, how far it leads *all* others beyond a margin, and
/// becomes the nearest when the sum suffices. A great lead decides at once, a small one has to last, noise takes back
/// what it gave. (Sums of this kind: E. S. Page, "Continuous Inspection Schemes", Biometrika 41, 1954; one hypothesis
/// against the strongest of the others: V. Dragalin et al., "Multihypothesis sequential probability ratio
/// tests", IEEE Trans. Inf. Theory 45, 1999.) Two that keep taking turns need more each time, until the visitor has
/// clearly gone away from one of them, or the lead is many standard deviations.
///
/// Only who is ahead of the nearest, or was, is looked at.
struct NearestContest {
    /// Decisions kept for explanations.
    static let historyLimit = 32

    var settings: RangingSettings
    /// The latest changes, oldest first.
    private(set) var changes: [NearestDecision] = []
    /// The refusal of the foremost challenger at the last tick; nil where nobody challenges.
    private(set) var refusal: NearestDecision?
    /// Slots with a lead summed up, and slots that were left; a slot that is used anew has neither.
    private var challengers: [Int32] = []
    private var departed: [Int32] = []

    init(settings: RangingSettings) {
        self.settings = settings
    }

    /// One instant of the contest.
    struct Field {
        var standings: [Standing]
        var list: RankedList
        var time: Timestamp
        /// Since the last decision.
        var seconds: Double

        /// Calls for every slot that is stronger than `limit`, in the order of the list.
        func forEach(strongerThan limit: Double, _ body: (Int) -> Void) {
            forEach(in: list.positions(of: .heard), strongerThan: limit, body)
            forEach(in: list.positions(of: .quiet), strongerThan: limit, body)
        }

        private func forEach(in positions: Range<Int>, strongerThan limit: Double, _ body: (Int) -> Void) {
            for position in positions {
                guard bound(position) > limit else { break }
                let slot = Int(list.slots[position])
                if standings[slot].strength > limit { body(slot) }
            }
        }

        /// The strongest of a group but one.
        func strongest(of group: Remoteness.Group, except excluded: Int? = nil) -> Int? {
            var best: Int?
            for position in list.positions(of: group) {
                let slot = Int(list.slots[position])
                let strength = best.map { standings[$0].strength } ?? -.infinity
                guard bound(position) > strength else { break }
                if slot != excluded, standings[slot].strength > strength { best = slot }
            }
            return best
        }

        /// The strongest of those that are heard, in their order.
        func strongest(count: Int) -> [Int] {
            list.positions(of: .heard).prefix(count).map { Int(list.slots[$0]) }
                .sorted { standings[$0].strength > standings[$1].strength }
        }

        /// The most that a slot at a position, or behind it, can have.
        private func bound(_ position: Int) -> Double {
            ClaimEstimator.limit - list.remotenesses[position].loss
        }
    }

    /// The slot of the beacon that is now the nearest; nil where none is heard.
    ///
    /// - Parameters:
    ///   - holder: the slot of the nearest so far; nil where there is none, or it has exited.
    ///   - previous: who it was.
    mutating func decide(
        _ field: Field, holder: Int?, previous: BeaconID?, table: inout TrackTable
    ) -> Int? {
        refusal = nil
        // Who is heard comes before who has gone quiet.
        let leader = field.strongest(of: .heard) ?? field.strongest(of: .quiet)
        guard let holder, field.standings[holder].level != nil else {
            clear(&table)
            let winner = leader.flatMap { field.standings[$0].isFresh ? $0 : nil }
            let winnerID = winner.map { table[$0].id }
            if winnerID != previous {
                note(
                    NearestDecision(
                        time: field.time, holder: previous, challenger: winnerID,
                        reason: previous == nil ? .first : .gone, lead: 0, evidence: 0, needed: 0))
            }
            return winner
        }
        guard let leader else { return nil }
        part(field, holder: holder, table: &table)
        sumUp(field, leader: leader, holder: holder, table: &table)
        guard leader != holder else { return holder }
        let verdict = verdict(field, challenger: leader, holder: holder, table: table)
        guard verdict.reason == .ledAll || verdict.reason == .ledNearest else {
            refusal = verdict
            return holder
        }
        note(verdict)
        table[holder].contest.leave(at: field.time, settings: settings)
        if !departed.contains(Int32(truncatingIfNeeded: holder)) {
            departed.append(Int32(truncatingIfNeeded: holder))
        }
        clear(&table)
        return leader
    }

    private mutating func note(_ decision: NearestDecision) {
        if changes.count == Self.historyLimit {
            changes.removeFirst()
        }
        changes.append(decision)
    }

    // MARK: - Sums

    private mutating func sumUp(_ field: Field, leader: Int, holder: Int, table: inout TrackTable) {
        let first = field.standings[leader].strength
        let held = field.standings[holder].strength
        let second = max(
            strength(field, of: .heard, except: leader), strength(field, of: .quiet, except: leader))
        var candidates = challengers.filter { table[Int($0)].contest.isChallenging }
        field.forEach(strongerThan: held + settings.nearestMargin) { slot in
            if slot != holder, !table[slot].contest.isChallenging {
                candidates.append(Int32(truncatingIfNeeded: slot))
            }
        }
        challengers.removeAll(keepingCapacity: true)
        for slot in candidates where Int(slot) != holder {
            let strength = field.standings[Int(slot)].strength
            let toOthers = strength - (Int(slot) == leader ? second : first)
            table[Int(slot)].contest.lead.sumUp(toOthers, field.seconds, margin: settings.nearestMargin)
            table[Int(slot)].contest.leadOverNearest.sumUp(
                strength - held, field.seconds, margin: settings.nearestMargin)
            if table[Int(slot)].contest.isChallenging {
                challengers.append(slot)
            }
        }
    }

    /// Of the strongest but one; nothing is weaker than nobody.
    private func strength(_ field: Field, of group: Remoteness.Group, except excluded: Int) -> Double {
        field.strongest(of: group, except: excluded).map { field.standings[$0].strength } ?? -.infinity
    }

    private mutating func part(_ field: Field, holder: Int, table: inout TrackTable) {
        guard !departed.isEmpty else { return }
        let held = field.standings[holder].strength
        for slot in departed.map(Int.init) where slot != holder && field.standings[slot].isFresh {
            let deficit = held - field.standings[slot].strength
            table[slot].contest.part(by: deficit, seconds: field.seconds, settings: settings)
        }
        departed.removeAll { slot in
            table[Int(slot)].contest.departures(at: field.time, settings: settings) < 0.01
        }
    }

    private mutating func clear(_ table: inout TrackTable) {
        for slot in challengers {
            table[Int(slot)].contest.clear()
        }
        challengers.removeAll(keepingCapacity: true)
    }

    // MARK: - Verdict

    private func verdict(
        _ field: Field, challenger: Int, holder: Int, table: borrowing TrackTable
    ) -> NearestDecision {
        verdict(
            field.standings[challenger], table[challenger], against: field.standings[holder], table[holder],
            at: field.time)
    }

    /// Whether a challenger takes the place now.
    func verdict(
        _ challenger: Standing, _ track: Track, against holder: Standing, _ holding: Track, at time: Timestamp
    ) -> NearestDecision {
        let difference = challenger.strength - holder.strength
        let deviation = ((challenger.level?.variance ?? 0) + (holder.level?.variance ?? 0)).squareRoot()
        var factor = 1.0
        if difference < settings.decisiveDeviations * deviation {
            var departures = track.contest.departures(at: time, settings: settings)
            // Where the nearest was left and came back before, the two take turns: both count.
            if departures > 0 { departures += holding.contest.departures(at: time, settings: settings) }
            factor = min(settings.returnPenaltyLimit, 1 + settings.returnPenalty * departures)
        }
        let needed = factor * settings.nearestEvidence
        let neededOverNearest = factor * settings.disputedEvidence
        let (lead, leadOverNearest) = (track.contest.lead, track.contest.leadOverNearest)
        // Which of the two ways is nearer to its end.
        let isByNearest = leadOverNearest * needed > lead * neededOverNearest
        let reason: NearestDecision.Reason =
            if !challenger.isFresh {
                .stale
            } else if difference <= 0 {
                .behind
            } else if lead >= needed {
                .ledAll
            } else if leadOverNearest >= neededOverNearest {
                .ledNearest
            } else if difference <= settings.nearestMargin, !track.contest.isChallenging {
                .withinMargin
            } else {
                .tooShort
            }
        return NearestDecision(
            time: time, holder: holding.id, challenger: track.id, reason: reason,
            lead: difference.isFinite ? difference : 0, evidence: isByNearest ? leadOverNearest : lead,
            needed: isByNearest ? neededOverNearest : needed)
    }
}

extension Double {
    /// Adds a lead beyond the margin. One tick cannot say more than 16 dB do, for or against.
    fileprivate mutating func sumUp(_ lead: Double, _ seconds: Double, margin: Double) {
        self = (self + (lead - margin).clamped(to: -16...16) * seconds).clamped(to: 0...1e6)
    }
}
