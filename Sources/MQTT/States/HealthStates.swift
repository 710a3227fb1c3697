import Beacon
import Events
import Health

/// Selects the beacons whose health is published: beacons with a name whose health is known, and others with a
/// problem. A plain value.
struct HealthStates: Sendable {
    /// Whether the daemon has reported the health, or that it is not watched.
    private(set) var isKnown = false
    private(set) var isWatched = false
    /// The beacons whose health is known.
    private var watched: Set<BeaconID> = []
    /// The beacons with problems, as they are published.
    private var problems: [BeaconID: BeaconHealth] = [:]

    /// - Parameters:
    ///   - most: the maximum number of published beacons with problems. Beacons with a name come first.
    ///   - isNamed: whether a beacon has a name.
    /// - Returns: the beacons that had or have a problem.
    mutating func update(_ health: EventHub.HealthState, most: Int, isNamed: (BeaconID) -> Bool) -> Set<BeaconID> {
        isKnown = true
        if case .known = health { isWatched = true } else { isWatched = false }
        watched = Set(health.beacons.map(\.beacon))
        let before = Set(problems.keys)
        let unwell = health.beacons.filter { !$0.problems.isEmpty }
            .map { (health: $0, rank: isNamed($0.beacon) ? 0 : 1) }
            .sorted { ($0.rank, $0.health.beacon) < ($1.rank, $1.health.beacon) }
        problems = Dictionary(unwell.prefix(most).map { ($0.health.beacon, $0.health) }) { first, _ in first }
        return before.union(problems.keys)
    }

    /// The published health of a beacon; nil if it is not published.
    func health(of beacon: BeaconID, isNamed: Bool) -> BeaconHealth? {
        guard isWatched, problems[beacon] != nil || isNamed && watched.contains(beacon) else { return nil }
        return problems[beacon] ?? BeaconHealth(beacon: beacon)
    }
}
