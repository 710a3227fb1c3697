package import Beacon
package import Broker
package import Rooms

/// What is published for Home Assistant when rooms change: entities of new beacons and rooms, and how many beacons are
/// in a room.
package struct RoomAnnouncements: Sendable {
    package let discovery: RoomDiscovery
    private let names: KnownBeacons
    /// The room of each announced beacon.
    private var rooms: [BeaconID: RoomMap.Room?] = [:]
    private var counts: [RoomMap.Room: Int] = [:]

    package init(_ discovery: RoomDiscovery, names: KnownBeacons = KnownBeacons()) {
        self.discovery = discovery
        self.names = names
    }

    /// Publishes everything again, because the broker may have forgotten it.
    package mutating func restart() { (rooms, counts) = ([:], [:]) }

    /// Takes answers that have changed.
    ///
    /// - Returns: what the broker should retain from now on.
    package mutating func take(_ answers: [RoomAnswer]) -> [Publication] {
        var publications: [Publication] = []
        var changed: Set<RoomMap.Room> = []
        for answer in answers where answer.room != nil || answer.unknown != nil {
            let before = rooms.updateValue(answer.room, forKey: answer.beacon)
            if before == nil { publications += discovery.beacon(answer.beacon, name: names.name(of: answer.beacon)) }
            if let left = before.flatMap({ $0 }) { move(-1, left, &changed) }
            if let room = answer.room { move(1, room, &changed) }
        }
        return publications + occupancies(changed)
    }

    /// A beacon is no longer followed.
    package mutating func forget(_ beacon: BeaconID) -> [Publication] {
        var changed: Set<RoomMap.Room> = []
        if let room = rooms.removeValue(forKey: beacon).flatMap({ $0 }) { move(-1, room, &changed) }
        return discovery.removed(beacon) + occupancies(changed)
    }

    /// All rooms that have a scanner. Others are removed once they are empty.
    package mutating func take(rooms all: Set<RoomMap.Room>) -> [Publication] {
        var publications: [Publication] = []
        for room in all.subtracting(counts.keys).sorted() {
            counts[room] = 0
            publications += discovery.room(room) + [discovery.occupancy(room, beacons: 0)]
        }
        for room in counts.filter({ $0.value == 0 && !all.contains($0.key) }).keys.sorted() {
            counts[room] = nil
            publications += discovery.removed(room)
        }
        return publications
    }

    private mutating func move(_ step: Int, _ room: RoomMap.Room, _ changed: inout Set<RoomMap.Room>) {
        counts[room] = max(0, (counts[room] ?? 0) + step)
        changed.insert(room)
    }

    /// Includes the entities: a message that the broker already retains is not sent again.
    private func occupancies(_ rooms: Set<RoomMap.Room>) -> [Publication] {
        rooms.sorted().flatMap { room in
            discovery.room(room) + [discovery.occupancy(room, beacons: counts[room] ?? 0)]
        }
    }
}
