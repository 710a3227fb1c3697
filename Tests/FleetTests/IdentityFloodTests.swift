import Beacon
import Broker
import Fleet
import FleetFormat
import Rooms
import Testing

@Suite struct IdentityFloodTests {
    /// As the broker does.
    private func note(_ message: Publication, in retained: inout Set<String>) {
        if message.payload.isEmpty {
            retained.remove(message.topic)
        } else {
            retained.insert(message.topic)
        }
    }

    @Test("of a flood of identities the broker retains no more than those that are followed, also for Home Assistant")
    func retained() {
        var resolver = FleetResolver(prefix: "beacond", name: "a")
        resolver.announcements = RoomAnnouncements(RoomDiscovery(prefix: "homeassistant", topics: resolver.topics))
        resolver.connect(at: 0)
        resolver.take("beacond/pi-1/scanner", Array(#"{"scanner":"ok","room":"Hall"}"#.utf8), at: 0)
        var (rooms, trackers, most): (Set<String>, Set<String>, Int) = ([], [], 0)
        var now = 3.0
        func pass(_ rows: [LevelsMessage.Row]) {
            let levels = LevelsMessage(second: 600_000 + Int64(now), isBlind: false, rows: rows)
            resolver.take("beacond/pi-1/levels", Array(levels.json.utf8), at: now)
            while let message = resolver.nextPublication() {
                if message.topic.hasPrefix("beacond/rooms/") { note(message, in: &rooms) }
                if message.topic.contains("/device_tracker/") { note(message, in: &trackers) }
                resolver.take(message.topic, Array(message.payload.utf8), at: now)
            }
            most = max(most, rooms.count)
            now += 1
        }
        for second in 0..<20 {
            pass(
                (0..<1000).map { number in
                    let id = BeaconID(uuid: ProximityUUID(9), major: UInt16(second), minor: UInt16(number))
                    return .init(beacon: id, level: -60, variance: 4, count: 5, age: 0.1)
                })
        }
        for _ in 0..<120 { pass([]) }
        let followed = Set(resolver.answers.map { resolver.topics.room($0.beacon) })
        #expect(followed.count > RoomResolver.mostBeacons / 2 && followed.count <= RoomResolver.mostBeacons)
        #expect(rooms.isSubset(of: followed) && !rooms.isEmpty)
        #expect(trackers.count == rooms.count)
        // Not only at the end of the minute.
        #expect(most <= 2 * RoomResolver.mostBeacons + 1000)
    }
}
