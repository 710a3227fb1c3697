import Beacon
import Broker
import Fleet
import FleetFormat
import Rooms
import Testing

/// A resolver of the first of two parts, with Home Assistant, and a scanner that hears nothing.
private struct Part {
    var resolver: FleetResolver
    let foreign: [BeaconID]
    private var now = 0.0

    init() throws {
        let shard = try #require(FleetShard("1/2"))
        resolver = FleetResolver(prefix: "beacond", name: "a", shard: shard)
        foreign = (0..<40).map { BeaconID(uuid: ProximityUUID(7), major: 1, minor: $0) }.filter { !shard.has($0) }
        resolver.announcements = RoomAnnouncements(RoomDiscovery(prefix: "homeassistant", topics: resolver.topics))
        resolver.connect(at: 0)
        take("beacond/pi-1/scanner", #"{"scanner":"ok","room":"Hall","floor":0,"x":0,"y":0}"#)
    }

    mutating func take(_ topic: String, _ payload: String) { resolver.take(topic, Array(payload.utf8), at: now) }

    /// Another part tells of a beacon.
    mutating func hear(of beacon: BeaconID) {
        let room = RoomMap.Room(name: "Hall", floor: 0)
        let answer = RoomAnswer(beacon: beacon, room: room, unknown: nil, probability: 0.95, since: 600_000)
        take(resolver.topics.room(beacon), RoomMessage(answer, level: -59).json)
    }

    /// - Returns: what was published.
    mutating func pass(_ seconds: Int) -> [Publication] {
        var published: [Publication] = []
        for _ in 0..<seconds {
            now += 1
            take("beacond/pi-1/levels", LevelsMessage(second: 600_000 + Int64(now), isBlind: false, rows: []).json)
            while let message = resolver.nextPublication() {
                published.append(message)
                take(message.topic, message.payload)
            }
        }
        return published
    }
}

@Suite struct ShardTests {
    @Test("a room of another part that is removed at the broker is gone, also for Home Assistant")
    func removed() throws {
        var part = try Part()
        for beacon in part.foreign { part.hear(of: beacon) }
        let before = part.pass(10)
        #expect(part.resolver.answers.map(\.beacon) == part.foreign)
        #expect(before.contains { $0.payload.contains(#""beacons":\#(part.foreign.count)}"#) })
        let gone = part.foreign[0]
        part.take(part.resolver.topics.room(gone), "")
        let after = part.pass(2)
        #expect(part.resolver.answers.map(\.beacon) == Array(part.foreign.dropFirst()))
        let entities = RoomDiscovery(prefix: "homeassistant", topics: part.resolver.topics).removed(gone)
        #expect(!entities.isEmpty && entities.allSatisfy { after.contains($0) })
        #expect(after.contains { $0.payload.contains(#""beacons":\#(part.foreign.count - 1)}"#) })
        // What nobody has told of is not removed, either.
        part.take(part.resolver.topics.room(gone), "")
        #expect(part.pass(2).isEmpty)
    }

    @Test("one that learns publishes its state and how it hears scanners, and nothing else")
    func learner() throws {
        var part = try Part()
        part.take(part.resolver.topics.resolver("b"), "answering 1/2")
        for beacon in part.foreign { part.hear(of: beacon) }
        var published = part.pass(30)
        for beacon in part.foreign.prefix(3) { part.take(part.resolver.topics.room(beacon), "") }
        for beacon in part.foreign { part.hear(of: beacon) }
        published += part.pass(30)
        let topics = part.resolver.topics
        #expect(Set(published.map(\.topic)) == [topics.resolver("a"), topics.hearing("a")])
        // Then it tells of all.
        part.take(topics.resolver("b"), "offline")
        let later = part.pass(5)
        #expect(later.contains { $0.payload.contains(#""beacons":\#(part.foreign.count)}"#) })
    }
}
