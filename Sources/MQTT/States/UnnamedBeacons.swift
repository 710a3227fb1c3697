package import Beacon
package import Ranging

/// Beacons without a name that are published in the same way as those with one.
///
/// Anybody may send any number of identities. So there is room for only a few beacons that are received steadily, and
/// beacons that pass by are forgotten.
package struct UnnamedBeacons: Sendable {
    package static let most = 100
    /// The number of readings after which a beacon does not count as passing by.
    package static let steadyCount = 10
    /// Seconds without a reading after which a beacon is forgotten.
    package static let memory = 86_400.0

    /// When each beacon was last received.
    private var seen: [BeaconID: Timestamp] = [:]

    package init() {}

    /// The names under which they are published.
    package var names: [BeaconID: String] {
        Dictionary(uniqueKeysWithValues: seen.keys.map { ($0, "Beacon \($0.major).\($0.minor)") })
    }

    /// Takes over a beacon that a previous run has published. It counts as received at the next ranking.
    package mutating func adopt(_ id: BeaconID) {
        if seen[id] == nil, seen.count < Self.most { seen[id] = Timestamp(microseconds: .max) }
    }

    package mutating func update(_ ranking: Ranking, isNamed: (BeaconID) -> Bool) {
        let now = ranking.time
        for beacon in ranking.beacons where !isNamed(beacon.id) {
            guard seen[beacon.id] != nil || beacon.count >= Self.steadyCount && seen.count < Self.most else { continue }
            seen[beacon.id] = now
        }
        for (id, last) in seen {
            // This also handles a clock that was set back.
            if last > now { seen[id] = now }
            if isNamed(id) || now.seconds(since: last) > Self.memory { seen[id] = nil }
        }
    }
}
