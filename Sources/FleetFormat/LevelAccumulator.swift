package import Beacon

/// Combines the sightings of one scanner into levels, second by second.
package struct LevelAccumulator: Sendable {
    private struct Sum {
        var count = 0
        var sum = 0.0
        var squares = 0.0
        /// The time of the last reading.
        var last: Timestamp

        var variance: Double {
            guard count > 1 else { return 0 }
            return max(0, (squares - sum * sum / Double(count)) / Double(count - 1))
        }
    }

    /// The maximum number of beacons in one second, because a flood of identities must not fill the memory.
    package static let mostBeacons = 4 * LevelsMessage.mostRows

    private var sums: [BeaconID: Sum] = [:]

    package init() {}

    /// Adds a sighting to the second that is being collected. A sighting without a level or a time is ignored.
    package mutating func add(_ sighting: borrowing Sighting) {
        // Beyond -127 dBm nothing is received, whatever a controller says.
        guard let rssi = sighting.rssi, let time = sighting.time, (-127...20).contains(rssi) else { return }
        let id = sighting.beacon.id
        guard sums.count < Self.mostBeacons || sums[id] != nil else { return }
        let level = Double(rssi)
        sums[id, default: Sum(last: time)].count += 1
        sums[id]?.sum += level
        sums[id]?.squares += level * level
        sums[id]?.last = time
    }

    /// Ends a second. The next one begins empty.
    ///
    /// - Parameter second: its beginning, in seconds since 1970.
    package mutating func finish(_ second: Int64, isBlind: Bool = false) -> LevelsMessage {
        defer { sums.removeAll(keepingCapacity: sums.count < 500) }
        let end = Timestamp(seconds: Double(second) + 1)
        let rows = sums.map { beacon, sum in
            LevelsMessage.Row(
                beacon: beacon, level: (sum.sum / Double(sum.count)), variance: min(65_536, sum.variance),
                count: min(1_000_000, sum.count), age: max(0, min(3600, end.seconds(since: sum.last))))
        }
        return LevelsMessage(second: second, isBlind: isBlind, rows: rows.sorted { $0.beacon < $1.beacon })
    }
}
