package import Beacon
import Ranging

/// Finds the room of each beacon from what many scanners receive.
///
/// A plain value without a clock: the answers are a function of the seconds that it gets, and of nothing else. Two
/// resolvers that get the same seconds give the same answers, whenever they started.
package struct RoomResolver: Sendable {
    struct Tracked {
        var locator: BeaconLocator
        var decision: RoomDecision
        var levels: [BeaconLocator.Level] = []
        /// The scanners that last received it.
        var witnesses: [Int] = []
        /// The first second in which it was followed here.
        var began: Int64?
        /// The position that was last published.
        var spot: Spot?

        /// When its silence began, as far as is known here.
        var silentSince: Int64? { locator.lastSecond ?? began }
    }

    /// The maximum number of beacons followed. Those that have been silent longest are replaced.
    package static let mostBeacons = 5000
    /// Seconds after which a silent beacon may be anywhere.
    static let longestPlace: Int64 = 600
    /// How many seconds ahead a resolver's proposal of antennas may be.
    static let farthestProposal: Int64 = 120
    /// Seconds after which a silent beacon is forgotten.
    static let memory: Int64 = 86_400

    package let map: RoomMap
    private let scanners: [String: Int]
    var tracked: [BeaconID: Tracked] = [:]
    var offsets: AntennaOffsets
    /// The antenna offsets that will be used soon.
    package internal(set) var proposal: AntennaProposal?
    /// The last second in which each scanner could receive.
    var lastAwake: [Int64]

    /// - Parameter known: what another resolver has learned. Rooms and scanners that the map does not have are ignored.
    package init(_ map: RoomMap, continuing known: RoomContinuation = RoomContinuation()) {
        self.map = map
        offsets = AntennaOffsets(map)
        lastAwake = Array(repeating: .min, count: map.places.count)
        scanners = Dictionary(map.places.enumerated().map { ($1.scanner, $0) }) { first, _ in first }
        adopt(known.antennas)
        for known in known.beacons.prefix(capacity) { adopt(known) }
    }

    /// The maximum number of beacons on this map: fewer in a large building, because each needs memory for every
    /// square.
    var capacity: Int { min(Self.mostBeacons, max(100, 4_000_000 / max(1, map.cells.count))) }

    /// What another resolver can continue with.
    package var continuation: RoomContinuation {
        RoomContinuation(
            beacons: tracked.sorted { $0.key < $1.key }.map { beacon, tracked in
                RoomContinuation.Known(
                    beacon: beacon, room: tracked.decision.room.map { map.rooms[$0] },
                    unknown: tracked.decision.unknown,
                    since: tracked.decision.since, level: tracked.locator.reference, spot: tracked.spot)
            },
            antennas: Dictionary(zip(map.places.map(\.scanner), offsets.decibels)) { first, _ in first })
    }

    /// Takes over what another resolver has published about a beacon.
    package mutating func adopt(_ known: RoomContinuation.Known) {
        let room = known.room.flatMap { map.rooms.firstIndex(of: $0) }
        let decision = RoomDecision(room: room, unknown: known.unknown, since: known.since)
        if tracked[known.beacon] != nil {
            tracked[known.beacon]?.decision = decision
            tracked[known.beacon]?.locator.adopt(reference: known.level)
            tracked[known.beacon]?.spot = known.spot
        } else if tracked.count < capacity {
            tracked[known.beacon] = Tracked(
                locator: BeaconLocator(map, in: room, reference: known.level), decision: decision, spot: known.spot)
        }
    }

    /// Takes over the position that another resolver has published, if the beacon is in the same room. Both then agree
    /// on what counts as a change.
    package mutating func adopt(_ spot: Spot?, of beacon: BeaconID, in room: RoomMap.Room?) {
        guard let own = tracked[beacon]?.decision.room, map.rooms[own] == room else { return }
        tracked[beacon]?.spot = spot
    }

    /// dBm at 1 m, as the fleet receives a beacon; nil for one that is not followed.
    package func level(of beacon: BeaconID) -> Double? { tracked[beacon]?.locator.reference }

    /// Takes over the proposal that all resolvers agree on. A newer one for the same second or later replaces it.
    package mutating func adopt(_ proposal: AntennaProposal) {
        self.proposal = proposal
    }

    /// Uses these antennas at once.
    private mutating func adopt(_ antennas: [String: Double]) {
        for (scanner, decibels) in antennas {
            if let index = scanners[scanner] { offsets.adopt(decibels, scanner: index) }
        }
    }

    /// Resolves one second of all scanners.
    ///
    /// - Parameter reports: at most one from each scanner, in any order. A scanner without one is not there.
    /// - Returns: the answers that have changed: another room, or none, or another position.
    package mutating func resolve(_ second: Int64, _ reports: [ScannerSecond]) -> [RoomAnswer] {
        followTime(to: second)
        if let proposal, second >= proposal.second {
            adopt(proposal.antennas)
            self.proposal = nil
        }
        let before = tracked.mapValues { ($0.decision.room, $0.decision.unknown, $0.spot) }
        var awake: [Int] = []
        var anchored: [BeaconID: [BeaconLocator.Level]] = [:]
        for report in reports.sorted(by: { $0.scanner < $1.scanner }) {
            guard let scanner = scanners[report.scanner], !report.isBlind else { continue }
            awake.append(scanner)
            lastAwake[scanner] = second
            for heard in report.heard where heard.level.isFinite {
                let level = BeaconLocator.Level(scanner: scanner, level: heard.level.clamped(to: -127...20))
                guard heard.beacon.uuid != FleetBeacon.uuid else {
                    // Scanners get no answer.
                    if map.anchors.contains(heard.beacon) { anchored[heard.beacon, default: []].append(level) }
                    continue
                }
                track(heard.beacon, second: second)
                tracked[heard.beacon]?.levels.append(level)
            }
        }
        for beacon in anchored.keys.sorted() {
            offsets.learn(
                map.anchors.residuals(of: beacon, anchored[beacon] ?? [], offsets: offsets.decibels),
                weight: Anchors.weight)
        }
        let beacons = tracked.keys.sorted()
        for beacon in beacons { resolve(beacon, second: second, awake: awake) }
        defer { endMinute(second) }
        return beacons.compactMap { beacon in
            guard let now = tracked[beacon], now.decision.room != nil || now.decision.unknown != nil else { return nil }
            if let old = before[beacon], old == (now.decision.room, now.decision.unknown, now.spot) { return nil }
            return answer(beacon)
        }
    }

    /// The answer for a beacon; nil if it was never received, or only long ago.
    package func answer(_ beacon: BeaconID) -> RoomAnswer? {
        guard let tracked = tracked[beacon] else { return nil }
        let room = tracked.decision.room
        return RoomAnswer(
            beacon: beacon, room: room.map { map.rooms[$0] }, unknown: tracked.decision.unknown,
            probability: room.map { Self.told(probabilities(tracked.locator)[$0]) } ?? 0, since: tracked.decision.since,
            spot: room == nil ? nil : tracked.spot)
    }

    /// In steps of 5 %, so that differences in the last digits are not published; at most 99 %.
    private static func told(_ probability: Double) -> Double {
        ((probability * 20).rounded() / 20).clamped(to: 0...0.99)
    }

    /// The answers for all beacons.
    package var answers: [RoomAnswer] { tracked.keys.sorted().compactMap(answer) }

    private mutating func track(_ beacon: BeaconID, second: Int64) {
        guard tracked[beacon] == nil else { return }
        if tracked.count >= capacity { forgetOldest() }
        tracked[beacon] = Tracked(locator: BeaconLocator(map), decision: RoomDecision(since: second))
    }

    /// The work of once a minute, at the same second in all resolvers.
    private mutating func endMinute(_ second: Int64) {
        guard second % 60 == 59 else { return }
        let learned = Dictionary(zip(map.places.map(\.scanner), offsets.propose())) { first, _ in first }
        // A proposal from a clock that was far ahead would block all others until then.
        if let wild = proposal?.second, Self.seconds(from: second, to: wild) > Self.farthestProposal { proposal = nil }
        // Another resolver may have been faster.
        if (proposal?.second ?? .min) < second &+ 31 {
            proposal = AntennaProposal(second: second &+ 31, antennas: learned)
        }
        for (beacon, entry) in tracked {
            tracked[beacon]?.locator.endMinute(second)
            let silence = Self.seconds(from: entry.silentSince ?? second, to: second)
            if silence >= Self.longestPlace { tracked[beacon]?.locator.forgetPlace(map) }
        }
        tracked = tracked.filter { Self.seconds(from: $0.value.silentSince ?? second, to: second) < Self.memory }
        limitPlaces(second)
    }

    /// Seconds between two instants, without overflow.
    static func seconds(from earlier: Int64, to later: Int64) -> Int64 { later.subtractingClamped(earlier) }

    /// Makes room for many at once, because a flood brings a new beacon with each message.
    private mutating func forgetOldest() {
        let silent = tracked.map { (last: $0.value.silentSince ?? .min, beacon: $0.key) }
            .sorted { ($0.last, $0.beacon) < ($1.last, $1.beacon) }
        for (_, beacon) in silent.prefix(max(1, capacity / 10)) { tracked[beacon] = nil }
    }

    private mutating func resolve(_ beacon: BeaconID, second: Int64, awake: [Int]) {
        guard var now = tracked.removeValue(forKey: beacon) else { return }
        defer { tracked[beacon] = now }
        now.began = now.began ?? second
        let last = now.silentSince ?? second
        // After a minute of silence its place no longer needs to be moved on.
        if Self.seconds(from: last, to: second) < 60 || !now.levels.isEmpty { now.locator.move(map) }
        guard !now.levels.isEmpty else {
            let isBlind =
                !now.witnesses.isEmpty && now.witnesses.allSatisfy { Self.seconds(from: lastAwake[$0], to: second) > 2 }
            now.decision.miss(lastHeard: last, second: second, isBlind: isBlind)
            return
        }
        now.levels.sort { ($0.level, $1.scanner) > ($1.level, $0.scanner) }
        let residuals = now.locator.hear(
            now.levels, second: second, offsets: offsets.decibels, awake: awake, map: map)
        now.witnesses = now.levels.map(\.scanner)
        now.levels.removeAll(keepingCapacity: true)
        let rooms = probabilities(now.locator)
        let old = now.decision.last
        let informants = now.locator.informants(awake: awake, second: second)
        now.decision.weigh(rooms, second: second) { room in
            // One scanner alone cannot distinguish a ceiling from a wall.
            old.map { map.rooms[$0].floor == map.rooms[room].floor } ?? true || informants > 1
        }
        if (rooms.max() ?? 0) > 0.8 { offsets.learn(residuals) }
        now.spot = spot(now.locator, room: now.decision.room, told: now.spot)
    }

    /// A beacon's position on its room's floor. The published one stays as long as it fits.
    private func spot(_ locator: BeaconLocator, room: Int?, told: Spot?) -> Spot? {
        guard let room, map.hasSpots else { return nil }
        let floor = map.rooms[room].floor
        let places = zip(map.cells, locator.probabilities).compactMap { cell, probability in
            cell.floor == floor && probability > 0 ? cell.position.map { (position: $0, likelihood: probability) } : nil
        }
        guard let spot = Spot(places, cellSize: map.model.cellSize), spot.isNews(after: told) else { return told }
        return spot
    }

    private func probabilities(_ locator: BeaconLocator) -> [Double] {
        var rooms = [Double](repeating: 0, count: map.rooms.count)
        var sum = 0.0
        for (cell, probability) in zip(map.cells, locator.probabilities) {
            rooms[cell.room] += probability
            sum += probability
        }
        return sum > 0 ? rooms.map { $0 / sum } : rooms
    }
}
