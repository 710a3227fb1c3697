import Beacon
import FleetFormat
import Rooms

/// What the broker retains about each beacon's room: what it has delivered, and what this resolver has published. A
/// plain value.
struct RetainedRooms: Sendable {
    /// The number of published beacons of this part at which forgotten ones are removed at once: a flood of identities
    /// must not wait for the end of the minute.
    private static let mostPublished = 2 * RoomResolver.mostBeacons

    private let topics: FleetTopics
    /// What the broker has delivered.
    private var known: [BeaconID: RoomContinuation.Known] = [:]
    /// Beacons of this part. `known` is limited, and may lack some of them.
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

    /// There is a new connection: the broker delivers everything again.
    mutating func connect() { known = [:] }

    /// - Returns: false if there is no room for it.
    mutating func adopt(_ answer: RoomContinuation.Known) -> Bool {
        let most = RoomResolver.mostBeacons * (topics.shard?.count ?? 1)
        guard known[answer.beacon] != nil || known.count < most else { return false }
        known[answer.beacon] = answer
        return true
    }

    mutating func publish(_ beacon: BeaconID) { published.insert(beacon) }

    /// The broker no longer retains anything about a beacon.
    ///
    /// - Returns: whether it had delivered something.
    mutating func remove(_ beacon: BeaconID) -> Bool { known.removeValue(forKey: beacon) != nil }

    /// Beacons of this part that are no longer followed, and about which the broker may still retain something. The
    /// caller removes that.
    mutating func takeForgotten(_ isFollowed: (BeaconID) -> Bool) -> [BeaconID] {
        let forgotten = published.union(known.keys.lazy.filter(topics.isOwn)).filter { !isFollowed($0) }
        published.subtract(forgotten)
        for beacon in forgotten { known[beacon] = nil }
        return forgotten.sorted()
    }
}
