import Beacon

/// Decides which beacon is the nearest. The decision should change once when the visitor moves, and not with the noise.
///
/// It is a sequential test. For each challenger it sums up, tick by tick, the lead over *all* others beyond a margin.
/// The challenger becomes the nearest when the sum is large enough. A large lead decides at once, a small one has to
/// last, and noise cancels out. (Sums of this kind: E. S. Page, "Continuous Inspection Schemes", Biometrika 41, 1954;
/// one hypothesis against the strongest of the others: V. Dragalin et al., "Multihypothesis sequential probability
/// ratio tests", IEEE Trans. Inf. Theory 45, 1999.) Two beacons that keep alternating need more evidence each time,
/// until the visitor has clearly walked away from one of them, or the lead is many standard deviations.
///
/// It only looks at beacons that are ahead of the nearest, or have been.
struct NearestContest {
    /// Decisions kept for explanations.
    static let historyLimit = 32

    var settings: RangingSettings
    /// The latest changes, oldest first.
    private(set) var changes: [NearestDecision] = []
    /// Why the leading challenger was refused at the last tick; nil if there was none.
    private(set) var refusal: NearestDecision?
    /// Slots that have gathered evidence, and slots that ceased to be the nearest. A reused slot is neither.
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

        /// The strongest of the beacons that are received, strongest first.
        func strongest(count: Int) -> [Int] {
            list.positions(of: .heard).prefix(count).map { Int(list.slots[$0]) }
                .sorted { standings[$0].strength > standings[$1].strength }
        }

        /// The greatest strength that a slot at this position or later can have.
        private func bound(_ position: Int) -> Double {
            ClaimEstimator.limit - list.remotenesses[position].loss
        }
    }

    /// The slot of the beacon that is now the nearest; nil if none is received.
    ///
    /// - Parameters:
    ///   - holder: the slot of the nearest so far; nil if there is none, or if it has exited.
    ///   - previous: the identity of the nearest so far.
    mutating func decide(
        _ field: Field, holder: Int?, previous: BeaconID?, table: inout TrackTable
    ) -> Int? {
        refusal = nil
        // Beacons that are received come before those that have gone quiet.
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

    /// The strength of the strongest of a group except one; minus infinity if there is none.
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

    /// Whether a challenger becomes the nearest now.
    func verdict(
        _ challenger: Standing, _ track: Track, against holder: Standing, _ holding: Track, at time: Timestamp
    ) -> NearestDecision {
        let difference = challenger.strength - holder.strength
        let deviation = ((challenger.level?.variance ?? 0) + (holder.level?.variance ?? 0)).squareRoot()
        var factor = 1.0
        if difference < settings.decisiveDeviations * deviation {
            var departures = track.contest.departures(at: time, settings: settings)
            // If the nearest has also come back before, the two alternate: the departures of both count.
            if departures > 0 { departures += holding.contest.departures(at: time, settings: settings) }
            factor = min(settings.returnPenaltyLimit, 1 + settings.returnPenalty * departures)
        }
        let needed = factor * settings.nearestEvidence
        let neededOverNearest = factor * settings.disputedEvidence
        let (lead, leadOverNearest) = (track.contest.lead, track.contest.leadOverNearest)
        // Which of the two sums is nearer to what it needs.
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
    /// Adds a lead beyond the margin. A single tick counts as 16 dB at most, for or against.
    fileprivate mutating func sumUp(_ lead: Double, _ seconds: Double, margin: Double) {
        self = (self + (lead - margin).clamped(to: -16...16) * seconds).clamped(to: 0...1e6)
    }
}
