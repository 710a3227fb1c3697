package import Beacon

/// Turns sightings into a ranking: levels, distances, the nearest beacon, and which beacons entered and exited.
///
/// A plain value without a clock: sightings carry their time, and `tick` gets the current time. Both have to be from
/// the same clock. Times may repeat, run backwards or jump; nothing traps. A tick looks only at the beacons that were
/// received since the last one, and at those that are due.
///
///     var ranger = Ranger()
///     ranger.add(sighting)
///     let (ranking, events) = ranger.tick(at: now)
package struct Ranger: Sendable {
    /// The settings in force, validated.
    package private(set) var settings: RangingSettings
    /// Counts of sightings that were ignored or incomplete, and of beacons that were forgotten.
    package private(set) var counters = RangingCounters()

    var table: TrackTable
    private(set) var pathLoss: PathLoss
    private(set) var contest: NearestContest
    private(set) var regions: RegionMonitor
    private(set) var floodGuard: FloodGuard
    private(set) var nearest: BeaconID?
    private var lastTick: Timestamp?
    /// The last tick at which the scanner was blind. Silence counts from then at the earliest.
    private var lastBlind: Timestamp?
    /// Whether changes were held back at the last tick: they are due at the next one.
    private var wasHeld = false
    /// Beacons that were forgotten while they were present, and whose exit is not reported yet.
    private var forgotten: Set<BeaconID> = []
    /// By slot.
    private(set) var standings: [Standing] = []
    private var list = RankedList()
    private var claims = ClaimEstimator()

    /// A ranger without sightings.
    package init(settings: RangingSettings = .init()) {
        let valid = settings.validated
        self.settings = valid
        table = TrackTable(maximum: valid.maximumBeacons)
        pathLoss = PathLoss(valid)
        contest = NearestContest(settings: valid)
        regions = RegionMonitor(valid.regions)
        floodGuard = FloodGuard(valid.flood)
    }

    /// Applies other settings. Which beacons are present, which is the nearest, levels and what was learned stay the
    /// same.
    ///
    /// - Parameter time: now; not earlier than the last tick.
    /// - Returns: an exit for each region that was removed while the scanner was inside, and an enter for each new
    ///   region that the scanner is inside.
    package mutating func apply(_ new: RangingSettings, at time: Timestamp) -> [RangingEvent] {
        let valid = new.validated
        guard valid != settings else { return [] }
        if valid.flood != settings.flood { floodGuard = FloodGuard(valid.flood) }
        var events: [RangingEvent] = []
        for slot in standings.indices {
            standings[slot].due = Timestamp(microseconds: .min)
            guard table[slot].isUsed else { continue }
            table[slot].correction = AppliedCorrection(table[slot].id, settings: valid)
        }
        if valid.regions != settings.regions {
            let present = standings.indices.filter { table[$0].isUsed && table[$0].isAnnounced }.map { table[$0].id }
            regions = RegionMonitor(valid.regions, after: regions, present: present, at: time, events: &events)
        }
        table.maximum = valid.maximumBeacons
        contest.settings = valid
        pathLoss = PathLoss(valid)
        settings = valid
        return events
    }

    /// The number of beacons tracked: those that are present, and those that have exited and are remembered.
    package var trackedCount: Int { table.count }

    /// Adds one sighting. Without a time it is ignored and counted. Without a level it only shows that the beacon is
    /// there.
    package mutating func add(_ sighting: Sighting) {
        guard let time = sighting.time else {
            counters.withoutTime &+= 1
            return
        }
        if !floodGuard.isOff, floodGuard.ignores(sighting) {
            counters.flooded &+= 1
            return
        }
        if sighting.rssi == nil {
            counters.withoutRSSI &+= 1
        }
        let id = sighting.beacon.id
        let slot: Int
        if let known = table.slot(of: id) {
            slot = known
            table.touch(slot)
        } else {
            slot = track(id, at: time, source: sighting.source)
        }
        table[slot].hear(sighting, at: time, lastBlind: lastBlind, settings: settings)
        standings[slot].due = Timestamp(microseconds: .min)
    }

    private mutating func track(_ id: BeaconID, at time: Timestamp, source: SourceID) -> Int {
        let track = Track(
            id: id, at: time, source: source, correction: AppliedCorrection(id, settings: settings))
        let (slot, old) = table.add(track)
        if slot == standings.count {
            standings.append(Standing())
        }
        if let old {
            counters.forgotten &+= 1
            if old.wasAnnounced {
                forgotten.insert(old.id)
            }
        }
        // It was received again before its exit was reported: so it never left.
        if !forgotten.isEmpty, forgotten.remove(id) != nil {
            table[slot].isAnnounced = true
        }
        return slot
    }

    /// The ranking at `time`, and what has changed since the last tick.
    ///
    /// - Parameters:
    ///   - isBlind: whether the scanner cannot receive, so that silence means nothing. Then no beacon exits, no other
    ///     becomes the nearest, and no distance class changes. Afterwards, silence counts from zero.
    ///   - isInDoubt: whether the scanner may be unable to receive, which will be known soon. The same changes are held
    ///     back meanwhile. If the scanner turns out to work, silence counts from where it began.
    package mutating func tick(
        at time: Timestamp, isBlind: Bool = false, isInDoubt: Bool = false
    ) -> (ranking: Ranking, events: [RangingEvent]) {
        let isHeld = isBlind || isInDoubt
        let seconds = lastTick.map { time.elapsed(since: $0).clamped(to: 0...2) } ?? 0
        // No due time is valid if time runs backwards or silence means nothing.
        let isAllDue = isBlind || wasHeld || lastTick.map { time < $0 } ?? false
        lastTick = time
        wasHeld = isHeld
        if isBlind {
            lastBlind = time
        } else if let blind = lastBlind, blind > time {
            lastBlind = time
        }

        var events: [RangingEvent] = []
        exitForgotten(at: time, isHeld: isHeld, events: &events)
        let changed = dueSlots(at: time, isAllDue: isAllDue)
        for slot in changed {
            enterAndExit(slot, at: time, isHeld: isHeld, events: &events)
        }
        var entries: [RankedList.Entry] = []
        entries.reserveCapacity(changed.count)
        for slot in changed {
            if let entry = rank(slot, at: time, isHeld: isHeld, events: &events) {
                entries.append(entry)
            }
        }
        list.update(changed: changed.map { Int32(truncatingIfNeeded: $0) }, entries: entries)
        regions.dwell(until: time, events: &events)
        if !isHeld {
            learnClaims(seconds: seconds, at: time)
            decideNearest(seconds: seconds, at: time, events: &events)
        }
        return (Ranking(time: time, nearest: nearest, beacons: list.beacons), events)
    }

    /// Slots of the beacons whose standing must be computed again.
    private func dueSlots(at time: Timestamp, isAllDue: Bool) -> [Int] {
        var slots: [Int] = []
        for slot in standings.indices where isAllDue || standings[slot].due <= time {
            slots.append(slot)
        }
        return slots
    }

    /// Seconds for which a beacon was not received while the scanner was able to receive.
    func silence(of slot: Int, at time: Timestamp) -> Double {
        time.elapsed(since: silentSince(slot))
    }

    private func silentSince(_ slot: Int) -> Timestamp {
        let heard = table[slot].lastSeen
        return lastBlind.map { max($0, heard) } ?? heard
    }

    // MARK: - Enter and exit

    private mutating func exitForgotten(at time: Timestamp, isHeld: Bool, events: inout [RangingEvent]) {
        // A flood of identities must not pile up exits without a limit.
        guard !forgotten.isEmpty, !isHeld || forgotten.count > settings.maximumBeacons else { return }
        for id in forgotten.sorted() {
            events.append(.exited(id))
            regions.exit(id, at: time, events: &events)
        }
        forgotten.removeAll()
    }

    private mutating func enterAndExit(
        _ slot: Int, at time: Timestamp, isHeld: Bool, events: inout [RangingEvent]
    ) {
        guard table[slot].isUsed else { return }
        // The clock was set back, or a reading has a time in the future. Such a time counts as now, or it would never
        // become old. Up to a second is normal, from the order in which threads run.
        if table[slot].lastSeen.elapsed(since: time) > 1 {
            table[slot].limit(to: time)
        }
        let id = table[slot].id
        if table[slot].isPresent, !table[slot].isAnnounced {
            table[slot].isAnnounced = true
            events.append(.entered(id))
            regions.enter(id, at: time, events: &events)
        }
        guard !isHeld else { return }
        let silence = silence(of: slot, at: time)
        if table[slot].isPresent, silence > table[slot].exitTime(settings) {
            table[slot].isPresent = false
            table[slot].isAnnounced = false
            events.append(.exited(id))
            regions.exit(id, at: time, events: &events)
        }
        if !table[slot].isPresent, silence > settings.memory {
            table.remove(slot)
        }
    }

    // MARK: - Level, distance, proximity

    /// Computes a beacon's standing and its entry in the list; nil if it is not present.
    private mutating func rank(
        _ slot: Int, at time: Timestamp, isHeld: Bool, events: inout [RangingEvent]
    ) -> RankedList.Entry? {
        let standing = standing(of: slot, at: time)
        standings[slot] = standing
        guard table[slot].isUsed, table[slot].isPresent else { return nil }
        let distance = pathLoss.distance(of: standing)
        if !isHeld {
            classify(slot, standing.isFresh ? distance : nil, events: &events)
        }
        let beacon = RangedBeacon(
            rank: 0, id: table[slot].id, rssi: table[slot].latestRSSI, filteredRSSI: standing.level?.value,
            measuredPower: table[slot].measuredPower, distance: distance, proximity: table[slot].proximity,
            lastSeen: table[slot].lastSeen, count: table[slot].count,
            source: standing.level == nil ? nil : standing.source,
            others: table[slot].others(than: standing.source, at: time, settings: settings))
        return RankedList.Entry(
            slot: Int32(truncatingIfNeeded: slot), remoteness: standing.remoteness, beacon: beacon)
    }

    func standing(of slot: Int, at time: Timestamp) -> Standing {
        var standing = Standing()
        standing.due = Timestamp(microseconds: .max)
        guard table[slot].isUsed else { return standing }
        let since = silentSince(slot)
        guard table[slot].isPresent else {
            standing.due = since.adding(seconds: settings.memory)
            return standing
        }
        let staleTime = table[slot].staleTime(settings)
        let silence = time.elapsed(since: since)
        standing.isFresh = silence <= staleTime
        standing.due = since.adding(seconds: standing.isFresh ? staleTime : table[slot].exitTime(settings))
        guard let (filtered, source) = table[slot].level(at: time, settings: settings) else { return standing }
        let correction = table[slot].correction
        standing.level = filtered.level
        standing.source = source
        standing.loss = correction.measuredPower(claimed: table[slot].measuredPower) - filtered.level.value
        standing.bias = correction.bias(site: pathLoss.claimBias)
        standing.powerVariance = correction.variance(site: pathLoss.powerVariance)
        // A beacon that has gone quiet loses 3 dB a second, in steps: it is more likely out of range than unlucky.
        let steps = (max(0, silence - staleTime) / Self.quietStep).rounded(.down)
        standing.allowance = Double(table[slot].allowance)
        standing.count = filtered.count
        standing.strength = standing.allowance - standing.loss - 3 * Self.quietStep * steps
        standing.due = min(standing.due, filtered.due)
        if !standing.isFresh {
            standing.due = min(standing.due, since.adding(seconds: staleTime + Self.quietStep * (steps + 1)))
        }
        return standing
    }

    /// Seconds.
    private static let quietStep = 0.5

    private mutating func classify(_ slot: Int, _ distance: Distance?, events: inout [RangingEvent]) {
        let previous = table[slot].proximity
        let isMeasured = table[slot].correction.isMeasured
        let proximity = distance.map { previous.next(for: $0, isMeasured: isMeasured, settings: settings) } ?? .unknown
        guard proximity != previous else { return }
        table[slot].proximity = proximity
        events.append(.proximity(table[slot].id, proximity, previous: previous))
    }

    // MARK: - Nearest

    private mutating func learnClaims(seconds: Double, at time: Timestamp) {
        // The field is not kept: changing the standings below would copy all of them.
        let strongest = NearestContest.Field(standings: standings, list: list, time: time, seconds: seconds)
            .strongest(count: ClaimEstimator.capacity)
        guard claims.note(
            strongest, standings: standings, at: time, seconds: seconds, settings: settings, table: &table)
        else { return }
        for slot in claims.slots where standings[slot].level != nil {
            let change = Double(table[slot].allowance) - standings[slot].allowance
            standings[slot].allowance += change
            standings[slot].strength += change
        }
    }

    private mutating func decideNearest(seconds: Double, at time: Timestamp, events: inout [RangingEvent]) {
        let holder = nearest.flatMap { table.slot(of: $0) }
        let field = NearestContest.Field(standings: standings, list: list, time: time, seconds: seconds)
        let slot = contest.decide(field, holder: holder, previous: nearest, table: &table)
        let winner = slot.map { table[$0].id }
        if winner != nearest {
            events.append(.nearest(winner, previous: nearest))
            nearest = winner
        }
    }
}
