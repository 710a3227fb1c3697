import Beacon
import Broker
import Foundation
import MQTT
import Settings
import Testing

/// What Home Assistant documents of discovery, written down: home-assistant.io, "MQTT" (discovery topic, origin), "MQTT
/// Sensor" and "MQTT binary sensor" (configuration variables), "Sensor" and "Binary sensor" (classes).
private enum Documented {
    static let common: Set = [
        "availability", "availability_mode", "availability_topic", "availability_template", "payload_available",
        "payload_not_available", "default_entity_id", "device", "device_class", "enabled_by_default", "encoding",
        "entity_category", "entity_picture", "expire_after", "force_update", "icon", "json_attributes_template",
        "json_attributes_topic", "name", "origin", "platform", "qos", "state_topic", "unique_id", "value_template",
    ]
    static let keys: [String: Set<String>] = [
        "sensor": common.union([
            "last_reset_value_template", "options", "state_class", "suggested_display_precision", "unit_of_measurement",
        ]),
        "binary_sensor": common.union(["off_delay", "payload_on", "payload_off"]),
    ]
    static let device: Set = [
        "configuration_url", "connections", "hw_version", "identifiers", "manufacturer", "model", "model_id", "name",
        "serial_number", "suggested_area", "sw_version", "via_device",
    ]
    static let origin: Set = ["name", "sw_version", "support_url"]
    static let availability: Set = ["topic", "payload_available", "payload_not_available", "value_template"]
    /// Of the class "distance".
    static let units: Set = ["km", "m", "cm", "mm", "mi", "nmi", "yd", "in"]
    static let stateClasses: Set = ["measurement", "measurement_angle", "total", "total_increasing"]
    static let binaryClasses: Set = ["presence", "occupancy", "problem", "connectivity"]
    static var topic: Regex<(Substring, component: Substring)> {
        #/[A-Za-z0-9_\/-]+?/(?<component>sensor|binary_sensor)/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config/#
    }
}

@Suite("Home Assistant's discovery")
struct DiscoveryTests {
    private let topics = Topics(prefix: "beacond", host: "pi.hall")
    private let hall = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 65535)

    private var messages: [Publication] {
        let discovery = DiscoveryMessages(prefix: "homeassistant", topics: topics, version: "1.2.3")
        return discovery.scanner() + discovery.beacon(hall, name: "Hall \"A\"\nä")
            + discovery.beacon(BeaconID(uuid: ProximityUUID(7), major: 16, minor: 5535), name: "Shop")
            + [discovery.region("Hall 1"), discovery.region("Hall_1")]
    }

    private func object(_ message: Publication) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(message.payload.utf8)) as? [String: Any])
    }

    @Test("is what is documented there, and nothing else")
    func isWhatIsDocumented() throws {
        #expect(messages.count == 10)
        for message in messages {
            #expect(message.isRetained)
            let match = try #require(try Documented.topic.wholeMatch(in: message.topic), "\(message.topic)")
            let component = String(match.component)
            let object = try object(message)
            let unknown = Set(object.keys).subtracting(try #require(Documented.keys[component]))
            #expect(unknown == [], "\(message.topic)")
            #expect(object["state_topic"] is String)
            #expect(object["unique_id"] is String)
            #expect(object["name"] is String)
            #expect(["all", "any", "latest"].contains(object["availability_mode"] as? String))

            let device = try #require(object["device"] as? [String: Any])
            #expect(Set(device.keys).subtracting(Documented.device) == [])
            #expect((device["identifiers"] as? [String])?.isEmpty == false)
            let origin = try #require(object["origin"] as? [String: Any])
            #expect(Set(origin.keys).subtracting(Documented.origin) == [])
            #expect(origin["name"] as? String == "beacond")
            for availability in try #require(object["availability"] as? [[String: Any]]) {
                #expect(Set(availability.keys).subtracting(Documented.availability) == [])
                #expect(availability["topic"] is String)
            }
        }
    }

    @Test("uses classes and units that go together")
    func usesClasses() throws {
        for message in messages {
            let object = try object(message)
            let kind = object["device_class"] as? String
            if message.topic.contains("/binary_sensor/") {
                #expect(Documented.binaryClasses.contains(try #require(kind)))
                #expect(object["payload_on"] is String && object["payload_off"] is String)
            } else if kind == "distance" {
                #expect(Documented.units.contains(try #require(object["unit_of_measurement"] as? String)))
                #expect(Documented.stateClasses.contains(try #require(object["state_class"] as? String)))
            } else {
                // A class of states or a unit would make a name a number.
                #expect(object["state_class"] == nil && object["unit_of_measurement"] == nil)
            }
            if let category = object["entity_category"] as? String {
                #expect(["config", "diagnostic"].contains(category))
            }
        }
    }

    @Test("tells all entities apart, and hangs the beacons on the scanner")
    func tellsAllEntities() throws {
        let objects = try messages.map(object)
        #expect(Set(objects.map { $0["unique_id"] as? String }).count == objects.count)
        #expect(Set(messages.map(\.topic)).count == objects.count)
        let devices = objects.compactMap { $0["device"] as? [String: Any] }
        let scanner = try #require((devices[0]["identifiers"] as? [String])?.first)
        // The regions come last, and are the scanner's.
        for device in devices.suffix(2) { #expect((device["identifiers"] as? [String])?.first == scanner) }
        for device in devices[2..<8] {
            #expect(device["via_device"] as? String == scanner)
            #expect((device["identifiers"] as? [String])?.first != scanner)
        }
        #expect(devices[2]["name"] as? String == "Hall \"A\"\nä")
    }

    @Test("points at topics that are told")
    func pointsAtTopics() throws {
        let told = [
            topics.nearest, topics.scanner, topics.status, topics.ranging(hall), topics.presence(hall),
        ]
        for object in try messages[..<4].map(object) {
            #expect(told.contains(try #require(object["state_topic"] as? String)))
            for availability in try #require(object["availability"] as? [[String: Any]]) {
                #expect(told.contains(try #require(availability["topic"] as? String)))
            }
        }
    }
}
