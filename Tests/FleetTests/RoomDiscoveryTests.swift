import Beacon
import Broker
import Fleet
import FleetFormat
import Foundation
import Rooms
import Testing

/// What Home Assistant documents of discovery, written down: home-assistant.io, "MQTT" (discovery topic, origin,
/// device), "MQTT Device tracker", "MQTT Sensor" and "MQTT binary sensor" (configuration variables).
private enum Documented {
    static let common: Set = [
        "availability", "availability_mode", "availability_topic", "availability_template", "payload_available",
        "payload_not_available", "default_entity_id", "device", "enabled_by_default", "entity_category",
        "entity_picture",
        "icon", "json_attributes_template", "json_attributes_topic", "name", "origin", "platform", "qos", "unique_id",
        "value_template", "state_topic",
    ]
    static let keys: [String: Set<String>] = [
        "device_tracker": common.union(["payload_home", "payload_not_home", "payload_reset", "source_type"]),
        "sensor": common.union([
            "device_class", "expire_after", "force_update", "options", "state_class", "suggested_display_precision",
            "unit_of_measurement",
        ]),
        "binary_sensor": common.union([
            "device_class", "expire_after", "force_update", "off_delay", "payload_on", "payload_off",
        ]),
    ]
    static let sources: Set = ["gps", "router", "bluetooth", "bluetooth_le"]
    static var topic: Regex<(Substring, component: Substring)> {
        #/homeassistant/(?<component>device_tracker|sensor|binary_sensor)/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config/#
    }
}

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
private let topics = FleetTopics(prefix: "museum/beacond")
private let discovery = RoomDiscovery(prefix: "homeassistant", topics: topics)
private let arabic = RoomMap.Room(name: "قاعة الغزال", floor: -1)

@Suite struct RoomDiscoveryTests {
    private var messages: [Publication] { discovery.beacon(beacon, name: "Star \"Globe\"") + discovery.room(arabic) }

    private func object(_ message: Publication) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(message.payload.utf8)) as? [String: Any])
    }

    @Test("is what is documented there, and nothing else")
    func documented() throws {
        #expect(messages.count == 4)
        for message in messages {
            let match = try #require(try Documented.topic.wholeMatch(in: message.topic), "\(message.topic)")
            let object = try object(message)
            let known = try #require(Documented.keys[String(match.component)])
            #expect(Set(object.keys).subtracting(known) == [], "\(message.topic)")
            #expect(object["unique_id"] is String && object["state_topic"] is String)
            #expect(object["name"] is String || object["name"] is NSNull)
            let device = try #require(object["device"] as? [String: Any])
            #expect(Set(device.keys).subtracting(["identifiers", "name", "model"]) == [])
            #expect((object["origin"] as? [String: String])?["name"] == "beacon-fleet")
            if let source = object["source_type"] as? String { #expect(Documented.sources.contains(source)) }
        }
    }

    @Test("tells all entities apart, and rooms by floor and by every letter of their names")
    func apart() throws {
        let rooms = [arabic, RoomMap.Room(name: "قاعة النجوم", floor: -1), RoomMap.Room(name: arabic.name, floor: 1)]
        let all = messages + rooms.dropFirst().flatMap(discovery.room)
        #expect(Set(all.map(\.topic)).count == all.count)
        #expect(Set(try all.map { try object($0)["unique_id"] as? String }).count == all.count)
        #expect(Set(rooms.map { discovery.occupancy($0, beacons: 1).topic }).count == rooms.count)
    }

    @Test("a removed beacon or room is an empty message for each of theirs")
    func removal() {
        #expect(discovery.removed(beacon).map(\.topic) == discovery.beacon(beacon, name: nil).map(\.topic))
        #expect(discovery.removed(arabic).map(\.topic).contains(discovery.occupancy(arabic, beacons: 0).topic))
        #expect(
            (discovery.removed(beacon) + discovery.removed(arabic)).allSatisfy { $0.payload.isEmpty && $0.isRetained })
    }
}

@Suite struct RoomAnnouncementsTests {
    private let hall = RoomMap.Room(name: "Hall", floor: 0)
    private let shop = RoomMap.Room(name: "Shop", floor: 0)

    private func answer(_ room: RoomMap.Room?, minor: UInt16 = 2) -> RoomAnswer {
        RoomAnswer(
            beacon: BeaconID(uuid: ProximityUUID(7), major: 1, minor: minor), room: room,
            unknown: room == nil ? .notHeard : nil, probability: room == nil ? 0 : 0.9, since: 0)
    }

    /// How many beacons each room has, by what is published.
    private func counts(_ publications: [Publication]) -> [String: String] {
        var counts: [String: String] = [:]
        for each in publications where each.topic.contains("/occupancy/") {
            if let match = each.payload.firstMatch(of: #/"room":"([^"]*)".*"beacons":([0-9]+)/#) {
                counts[String(match.1)] = String(match.2)
            }
        }
        return counts
    }

    @Test("a beacon that goes from room to room is counted in one of them")
    func counting() {
        var announcements = RoomAnnouncements(discovery)
        #expect(counts(announcements.take([answer(hall), answer(hall, minor: 3)])) == ["Hall": "2"])
        #expect(counts(announcements.take([answer(shop)])) == ["Hall": "1", "Shop": "1"])
        #expect(counts(announcements.take([answer(nil)])) == ["Shop": "0"])
        #expect(counts(announcements.take([answer(nil)])) == [:])
        #expect(counts(announcements.forget(answer(hall, minor: 3).beacon)) == ["Hall": "0"])
    }

    @Test("rooms are there from the beginning, and go when no scanner and no beacon is in them")
    func rooms() {
        var announcements = RoomAnnouncements(discovery)
        #expect(counts(announcements.take(rooms: [hall, shop])) == ["Hall": "0", "Shop": "0"])
        _ = announcements.take([answer(shop)])
        #expect(announcements.take(rooms: [hall]) == [])
        _ = announcements.take([answer(hall)])
        #expect(announcements.take(rooms: [hall]).map(\.topic) == discovery.removed(shop).map(\.topic))
    }
}
