import Beacon
import FleetFormat
import Rooms

/// What the broker retains of each beacon's room: what it has told of that, and what this resolver has published. A
/// plain value.
struct RetainedRooms: Sendable {
    /// Beacons of this part that have been published, at most, until those that are forgotten are looked for: a flood
    /// of identities must not wait for the end of the minute.
    private static let mostPublished = 2 * RoomResolver.mostBeacons

    private let topics: FleetTopics
    /// What the broker has told.
    private var known: [BeaconID: RoomContinuation.Known] = [:]
    /// Of this part of the beacons. What the broker tells is limited, and may leave some of these out.
    private var published: Set<BeaconID> = []

    init(_ topics: FleetTopics) {
        self.topics = topics
    }

    subscript(beacon: BeaconID) -> RoomContinuation.Known? { known[beacon] }

    /// Of this part of the beacons.
    var own: [RoomContinuation.Known] {
        known.values.filter { topics.isOwn($0.beacon) }.sorted { $0.beacon < $1.beacon }
    }

    /// Of all other parts.
    var others: [RoomContinuation.Known] { known.values.filter { !topics.isOwn($0.beacon) } }

    var isCrowded: Bool { published.count > Self.mostPublished }

    /// A new connection: the broker tells everything again.
    mutating func connect() { known = [:] }

    /// - Returns: false where there is no room for it.
    mutating func adopt(_ answer: RoomContinuation.Known) -> Bool {
        let most = RoomResolver.mostBeacons * (topics.shard?.count ?? 1)
        guard known[answer.beacon] != nil || known.count < most else { return false }
        known[answer.beacon] = answer
        return true
    }

    mutating func publish(_ beacon: BeaconID) { published.insert(beacon) }

    /// The broker retains nothing any more.
    ///
    /// - Returns: whether it had told something.
    mutating func remove(_ beacon: BeaconID) -> Bool { known.removeValue(forKey: beacon) != nil }

    /// Beacons of this part of which the broker may retain something, and that are no longer followed. From now on it
    /// retains nothing of them.
    mutating func takeForgotten(_ isFollowed: (BeaconID) -> Bool) -> [BeaconID] {
        let forgotten = published.union(known.keys.lazy.filter(topics.isOwn)).filter { !isFollowed($0) }
        published.subtract(forgotten)
        for beacon in forgotten { known[beacon] = nil }
        return forgotten.sorted()
    }
}
