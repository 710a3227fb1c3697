package import Beacon
package import Ranging

/// Beacons without a name that are published like those with one.
///
/// Anybody may send any number of identities. So there is room for a few, for those that are received steadily, and
/// what passes by is forgotten.
package struct UnnamedBeacons: Sendable {
    package static let most = 100
    /// Readings after which a beacon does not just pass by.
    package static let steadyCount = 10
    /// Seconds without a reading after which a beacon is forgotten.
    package static let memory = 86_400.0

    /// When each was received last.
    private var seen: [BeaconID: Timestamp] = [:]

    package init() {}

    /// What they are called.
    package var names: [BeaconID: String] {
        Dictionary(uniqueKeysWithValues: seen.keys.map { ($0, "Beacon \($0.major).\($0.minor)") })
    }

    /// A former run has published it. It is remembered as if it were received at the next ranking.
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
            // Also where the clock was set back.
            if last > now { seen[id] = now }
            if isNamed(id) || now.seconds(since: last) > Self.memory { seen[id] = nil }
        }
    }
}
