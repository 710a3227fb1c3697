package import Beacon
import Glibc
package import Ranging

/// All beacons in the current interval of time. Counting a sighting costs a look-up and an increment. The results are
/// calculated when the interval has ended, by the thread that takes it.
package struct IntervalAccumulator: Sendable {
    package let start: Timestamp
    /// The interval's length in seconds.
    package let seconds: Int
    private var refused = 0
    private let maximumBeacons: Int
    /// Nil if every beacon has room.
    private let room: RecordingRoom?
    private var taken = RecordingRoom.Taken()
    private var slots: [BeaconID: Int] = [:]
    private var entries: [Entry] = []

    private static let levelRange = -127...20

    private struct Entry {
        let id: BeaconID
        var firstSeen: Timestamp
        var lastSeen: Timestamp
        /// The first sighting after the last silence of more than a second.
        var resumed: Timestamp
        var count = 0
        /// Levels in dBm, and bins of distances.
        var levels = Histogram()
        var distances = Histogram()
        var present = 0.0
        var nearest = 0.0
        /// Sums over the rankings that had a level.
        var rankings = 0
        var level = 0.0
        var low = 0.0
        var high = 0.0
        var measuredPower: Int8 = 0
        /// Ranging never ranks a beacon that its flood rules leave out.
        var isRanked = false
    }

    /// - Parameter room: which beacons have room; nil for all.
    package init(start: Timestamp, seconds: Int, maximumBeacons: Int = 10_000, room: RecordingRoom? = nil) {
        self.start = start
        self.seconds = seconds
        self.maximumBeacons = maximumBeacons
        self.room = room
    }

    /// Sightings that were not recorded: of more beacons than the interval holds, or of beacons that ranging left out.
    package var dropped: Int { entries.reduce(refused) { $0 + ($1.isRanked ? 0 : $1.count) } }

    package var beaconCount: Int { entries.count }

    /// Counts a sighting. A sighting without a time is left out.
    package mutating func add(_ sighting: borrowing Sighting) {
        guard let time = sighting.time else { return }
        guard let slot = slot(of: sighting.beacon.id, at: time, measuredPower: sighting.beacon.measuredPower) else {
            refused += 1
            return
        }
        if entries[slot].count == 0 { entries[slot].firstSeen = time }
        entries[slot].count += 1
        if time > entries[slot].lastSeen {
            if time.microseconds &- entries[slot].lastSeen.microseconds > 1_000_000 { entries[slot].resumed = time }
            entries[slot].lastSeen = time
            entries[slot].measuredPower = sighting.beacon.measuredPower
        } else if time < entries[slot].firstSeen {
            entries[slot].firstSeen = time
        }
        if let rssi = sighting.rssi {
            let level = min(max(Int(rssi), Self.levelRange.lowerBound), Self.levelRange.upperBound)
            entries[slot].levels.add(level)
        }
    }

    /// Counts a ranking, which is valid for the given seconds.
    package mutating func add(_ ranking: Ranking, for seconds: Double, isBlind: Bool) {
        for beacon in ranking.beacons {
            // A beacon that is present also counts if it has not been received in this interval yet.
            let isSteady = beacon.count >= RecordingRoom.steadyCount
            guard
                let slot = slot(
                    of: beacon.id, at: beacon.lastSeen, measuredPower: beacon.measuredPower, isSteady: isSteady)
            else { continue }
            entries[slot].isRanked = true
            guard !isBlind else { continue }
            entries[slot].present += seconds
            if let level = beacon.filteredRSSI, let distance = beacon.distance {
                entries[slot].rankings += 1
                entries[slot].level += level
                entries[slot].low += distance.low
                entries[slot].high += distance.high
                entries[slot].distances.add(DistanceScale.bin(of: distance.metres))
            }
        }
        if !isBlind, let nearest = ranking.nearest, let slot = slots[nearest] { entries[slot].nearest += seconds }
    }

    /// When a beacon was received again after its last silence; nil if it was not received.
    func resumed(_ id: BeaconID) -> Timestamp? {
        slots[id].map { entries[$0].resumed }
    }

    /// Whether this interval has a slot for the beacon.
    func holds(_ id: BeaconID) -> Bool { slots[id] != nil }

    private mutating func slot(
        of id: BeaconID, at time: Timestamp, measuredPower: Int8, isSteady: Bool = false
    ) -> Int? {
        if let slot = slots[id] { return slot }
        guard entries.count < maximumBeacons, room?.admits(id, isSteady: isSteady, &taken) ?? true else { return nil }
        let slot = entries.count
        slots[id] = slot
        entries.append(
            Entry(id: id, firstSeen: time, lastSeen: time, resumed: time, measuredPower: measuredPower))
        return slot
    }

    /// The results for each beacon that was ranked.
    package var beacons: [BeaconInterval] { entries.compactMap { Self.interval($0, start, seconds) } }

    /// The same, each calculated when it is reached. Together, the results of many beacons take as much memory as what
    /// they are calculated from.
    package var eachBeacon: some Sequence<BeaconInterval> {
        entries.lazy.compactMap { [start, seconds] in Self.interval($0, start, seconds) }
    }

    /// Nil if the beacon was not ranked.
    private static func interval(_ entry: Entry, _ start: Timestamp, _ seconds: Int) -> BeaconInterval? {
        guard entry.isRanked, entry.count > 0 || entry.present > 0 else { return nil }
        let rankings = Double(max(entry.rankings, 1))
        let hasLevel = entry.rankings > 0
        let low = entry.low / rankings
        return BeaconInterval(
            id: entry.id, start: start, seconds: seconds, firstSeen: entry.firstSeen, lastSeen: entry.lastSeen,
            count: entry.count, measuredPower: entry.measuredPower,
            levels: entry.levels, distances: entry.distances,
            filteredLevel: hasLevel ? entry.level / rankings : nil,
            distanceRange: hasLevel ? low...max(low, entry.high / rankings) : nil,
            presentSeconds: entry.present, nearestSeconds: entry.nearest)
    }
}
