public import Beacon

/// Turns sightings into a ranking: levels, distances, the nearest beacon, who entered and who exited.
///
/// A plain value without a clock: sightings bring their time, and `tick` is told the time. The source's time and the
/// ticks' time have to be of the same clock. Times may repeat, run backwards or jump; nothing traps.
///
///     var ranger = Ranger()
///     ranger.add(sighting)
///     let (ranking, events) = ranger.tick(at: now)
public struct Ranger: Sendable {
    /// The settings in force, validated.
    public let settings: RangingSettings
    /// What was not taken as it came.
    public private(set) var counters = RangingCounters()

    private var table: TrackTable
    private let pathLoss: PathLoss
    private let contest: NearestContest
    private var nearest: BeaconID?
    private var lastTick: Timestamp?
    /// The last tick at which the scanner was blind: silence counts from there at the earliest.
    private var lastBlind: Timestamp?
    /// Beacons that were forgotten while they were present, and whose exit is still to be told.
    private var forgotten: Set<BeaconID> = []

    /// A ranger that has heard nothing yet.
    public init(settings: RangingSettings = .init()) {
        let valid = settings.validated
        self.settings = valid
        table = TrackTable(maximum: valid.maximumBeacons)
        pathLoss = PathLoss(valid)
        contest = NearestContest(settings: valid)
    }

    /// Beacons tracked: those that are present, and those that have exited and are remembered.
    public var trackedCount: Int { table.count }

    /// Takes in one sighting. Without a time it is ignored and counted; without a level it counts as presence.
    public mutating func add(_ sighting: Sighting) {
        guard let time = sighting.time else {
            counters.withoutTime &+= 1
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
            slot = track(id, at: time)
        }
        table[slot].hear(
            sighting.rssi, measuredPower: sighting.beacon.measuredPower, at: time, lastBlind: lastBlind,
            settings: settings)
    }

    private mutating func track(_ id: BeaconID, at time: Timestamp) -> Int {
        let (slot, old) = table.add(id, at: time)
        if let old {
            counters.forgotten &+= 1
            if old.isAnnounced {
                forgotten.insert(old.id)
            }
        }
        // Heard again before its exit was told: then it never left.
        if !forgotten.isEmpty, forgotten.remove(id) != nil {
            table[slot].isAnnounced = true
        }
        return slot
    }

    /// The ranking at `time`, and what has changed since the last tick.
    ///
    /// - Parameter isBlind: the scanner is known to be broken, so that silence means nothing: no beacon exits,
    ///   no other becomes the nearest, and no distance class changes. After that, silence counts anew.
    public mutating func tick(at time: Timestamp, isBlind: Bool = false) -> (ranking: Ranking, events: [RangingEvent]) {
        let seconds = lastTick.map { time.elapsed(since: $0).clamped(to: 0...2) } ?? 0
        limitTimes(to: time)
        lastTick = time
        if isBlind {
            lastBlind = time
        }

        var events: [RangingEvent] = []
        var views: [View] = []
        views.reserveCapacity(table.count)
        enterAndExit(at: time, isBlind: isBlind, events: &events)
        for slot in table.indices where table[slot].isUsed && table[slot].isPresent {
            views.append(view(of: slot, at: time))
        }
        if !isBlind {
            for index in views.indices {
                classify(&views[index], events: &events)
            }
            decideNearest(among: views, seconds: seconds, at: time, events: &events)
        }
        views.sort(by: View.isNearer)
        let beacons = views.enumerated().map { ranged($1, rank: $0 + 1) }
        return (Ranking(time: time, nearest: nearest, beacons: beacons), events)
    }

    // MARK: - Time

    /// The clock was set back, or a reading came from the future: what lies ahead counts as now, or it would never
    /// become old. A second of it is nothing but the order in which threads run.
    private mutating func limitTimes(to time: Timestamp) {
        if let blind = lastBlind, blind > time {
            lastBlind = time
        }
        for slot in table.indices
        where table[slot].isUsed && table[slot].lastSeen.elapsed(since: time) > 1 {
            table[slot].limit(to: time)
        }
    }

    /// Seconds for which a beacon was not heard while it could have been.
    private func silence(of slot: Int, at time: Timestamp) -> Double {
        let heard = table[slot].lastSeen
        return time.elapsed(since: lastBlind.map { max($0, heard) } ?? heard)
    }

    // MARK: - Enter and exit

    private mutating func enterAndExit(at time: Timestamp, isBlind: Bool, events: inout [RangingEvent]) {
        // A flood of identities while blind must not pile up exits without bound.
        if !isBlind || forgotten.count > settings.maximumBeacons {
            events += forgotten.sorted().map(RangingEvent.exited)
            forgotten.removeAll()
        }
        for slot in table.indices where table[slot].isUsed {
            if table[slot].isPresent, !table[slot].isAnnounced {
                table[slot].isAnnounced = true
                events.append(.entered(table[slot].id))
            }
            guard !isBlind else { continue }
            let silence = silence(of: slot, at: time)
            if table[slot].isPresent, silence > table[slot].interval.exitTime(settings) {
                table[slot].isPresent = false
                table[slot].isAnnounced = false
                events.append(.exited(table[slot].id))
            }
            if !table[slot].isPresent, silence > settings.memory {
                table.remove(slot)
            }
        }
    }

    // MARK: - Level, distance, proximity

    /// One present beacon at one instant.
    private struct View {
        var slot: Int
        var id: BeaconID
        var level: Level?
        /// dB from 1 m to here; nothing is weaker than no level.
        var loss: Double
        var distance: Distance?
        var isFresh: Bool

        /// The order of ranks: what is heard before what has gone quiet, then by level, then by identity.
        static func isNearer(_ left: View, _ right: View) -> Bool {
            if left.group != right.group { return left.group < right.group }
            return left.loss != right.loss ? left.loss < right.loss : left.id < right.id
        }

        private var group: Int { level == nil ? 2 : isFresh ? 0 : 1 }
    }

    private func view(of slot: Int, at time: Timestamp) -> View {
        let track = table[slot]
        let isFresh = silence(of: slot, at: time) <= track.interval.staleTime(settings)
        guard let level = track.filter.level(at: time, settings: settings) else {
            return View(slot: slot, id: track.id, level: nil, loss: .infinity, distance: nil, isFresh: isFresh)
        }
        let loss = pathLoss.loss(level: level.value, measuredPower: track.measuredPower)
        return View(
            slot: slot, id: track.id, level: level, loss: loss,
            distance: pathLoss.distance(loss: loss, variance: level.variance), isFresh: isFresh)
    }

    private mutating func classify(_ view: inout View, events: inout [RangingEvent]) {
        let previous = table[view.slot].proximity
        var proximity = Proximity.unknown
        if view.isFresh, let distance = view.distance {
            proximity = previous.next(for: distance, settings: settings)
        }
        guard proximity != previous else { return }
        table[view.slot].proximity = proximity
        events.append(.proximity(view.id, proximity, previous: previous))
    }

    private func ranged(_ view: View, rank: Int) -> RangedBeacon {
        let track = table[view.slot]
        return RangedBeacon(
            rank: rank, id: view.id, rssi: track.filter.latest, filteredRSSI: view.level?.value,
            measuredPower: track.measuredPower, distance: view.distance, proximity: track.proximity,
            lastSeen: track.lastSeen, count: track.count)
    }

    // MARK: - Nearest

    private mutating func decideNearest(
        among views: [View], seconds: Double, at time: Timestamp, events: inout [RangingEvent]
    ) {
        var contenders: [Contender] = []
        contenders.reserveCapacity(views.count)
        for view in views {
            guard let level = view.level else { continue }
            let track = table[view.slot]
            // Who has gone quiet loses 3 dB a second: out of reach rather than out of luck.
            let quiet = max(0, silence(of: view.slot, at: time) - track.interval.staleTime(settings))
            contenders.append(
                Contender(
                    slot: view.slot, id: view.id, strength: -view.loss - 3 * quiet, variance: level.variance,
                    isFresh: view.isFresh, state: track.contest))
        }
        let present = nearest.flatMap { table.slot(of: $0) }
        let slot = contest.decide(among: &contenders, present: present, seconds: seconds, at: time)
        for contender in contenders {
            table[contender.slot].contest = contender.state
        }
        let winner = slot.map { table[$0].id }
        if winner != nearest {
            events.append(.nearest(winner, previous: nearest))
            nearest = winner
        }
    }
}
