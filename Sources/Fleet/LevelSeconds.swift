package import Beacon
package import Rooms

/// Sightings of one scanner, as levels of seconds.
package struct LevelSeconds: Sendable {
    private struct Sum {
        var levels = 0.0
        var count = 0
    }

    /// Beacons of one second, at most: a flood of identities must not fill the memory.
    package static let mostBeacons = 1000

    private var sums: [BeaconID: Sum] = [:]

    package init() {}

    /// A sighting without a level counts for nothing.
    package mutating func add(_ sighting: borrowing Sighting) {
        guard let rssi = sighting.rssi else { return }
        let id = sighting.beacon.id
        guard sums.count < Self.mostBeacons || sums[id] != nil else { return }
        sums[id, default: Sum()].levels += Double(rssi)
        sums[id, default: Sum()].count += 1
    }

    /// What was heard since the last time, in the order of the identities.
    package mutating func take() -> [HeardLevel] {
        defer { sums.removeAll(keepingCapacity: true) }
        return sums.sorted { $0.key < $1.key }.map {
            HeardLevel(beacon: $0.key, level: $0.value.levels / Double($0.value.count), count: $0.value.count)
        }
    }
}
