package import Beacon
package import Broker
package import Settings
import Text

/// Messages that make Home Assistant discover this scanner and its beacons.
///
/// One message for each entity, because every version supports that form. home-assistant.io: "MQTT", section "MQTT
/// Discovery"; "MQTT Sensor"; "MQTT binary sensor".
package struct DiscoveryMessages: Sendable {
    private let prefix: String
    private let topics: Topics
    private let version: String

    /// - Parameters:
    ///   - prefix: `homeassistant`, unless Home Assistant is configured otherwise.
    ///   - version: the version of this program.
    package init(prefix: String, topics: Topics, version: String) {
        self.prefix = prefix
        self.topics = topics
        self.version = version
    }

    /// The scanner's node in topics and identifiers.
    private var node: String { "beacond_" + topics.host }

    /// The topics of everything that this scanner has ever announced, for a subscription.
    package var all: String { "\(prefix)/+/\(node)/+/config" }

    /// The scanner itself: the nearest beacon, and whether the scanner is blind.
    package func scanner() -> [Publication] {
        [
            entity("sensor", "nearest") { json in
                json.value("name", "Nearest beacon")
                json.value("icon", "mdi:map-marker-radius")
                json.value("state_topic", topics.nearest)
                json.value("value_template", "{{ value_json.label }}")
                json.value("json_attributes_topic", topics.nearest)
                availability(needsHearing: true, into: &json)
                scannerDevice(into: &json)
            },
            entity("binary_sensor", "blind") { json in
                json.value("name", "Blind")
                json.value("device_class", "problem")
                json.value("entity_category", "diagnostic")
                json.value("state_topic", topics.scanner)
                json.value("value_template", "{{ value_json.scanner }}")
                json.value("payload_on", "blind")
                json.value("payload_off", "ok")
                availability(needsHearing: false, into: &json)
                scannerDevice(into: &json)
            },
        ]
    }

    /// A region: whether a beacon is inside. It belongs to the scanner.
    package func region(_ name: String) -> Publication {
        entity("binary_sensor", "region_" + Topics.distinctLevel(name)) { json in
            json.value("name", name)
            json.value("device_class", "occupancy")
            json.value("state_topic", topics.region(name))
            json.value("value_template", "{{ value_json.state if value_json is defined else None }}")
            json.value("payload_on", "inside")
            json.value("payload_off", "outside")
            availability(needsHearing: true, into: &json)
            scannerDevice(into: &json)
        }
    }

    /// A beacon with a name: its distance, whether it is present, and whether it has a problem.
    package func beacon(_ id: BeaconID, name: String) -> [Publication] {
        let key = "\(id.uuid)_\(id.major)_\(id.minor)".replacing("-", with: "")
        return [
            entity("sensor", key + "_distance") { json in
                json.value("name", "Distance")
                json.value("device_class", "distance")
                json.value("state_class", "measurement")
                json.value("unit_of_measurement", "m")
                json.value("suggested_display_precision", 1)
                json.value("state_topic", topics.ranging(id))
                // The retained state is removed when the beacon exits: the distance is then unknown.
                json.value(
                    "value_template", "{{ value_json.distance_m if value_json is defined else None }}")
                availability(needsHearing: true, into: &json)
                beaconDevice(key, name, into: &json)
            },
            entity("binary_sensor", key + "_presence") { json in
                json.value("name", "Presence")
                json.value("device_class", "presence")
                json.value("state_topic", topics.presence(id))
                json.value("payload_on", "present")
                json.value("payload_off", "absent")
                availability(needsHearing: true, into: &json)
                beaconDevice(key, name, into: &json)
            },
            entity("binary_sensor", key + "_health") { json in
                json.value("name", "Health")
                json.value("device_class", "problem")
                json.value("entity_category", "diagnostic")
                json.value("state_topic", topics.health(id))
                json.value("value_template", "{{ value_json.state if value_json is defined else None }}")
                json.value("payload_on", "problem")
                json.value("payload_off", "ok")
                json.value("json_attributes_topic", topics.health(id))
                json.value("json_attributes_template", "{{ {'problems': value_json.problems} | tojson }}")
                // What was learned stays true while the scanner is blind.
                availability(needsHearing: false, into: &json)
                beaconDevice(key, name, into: &json)
            },
        ]
    }

    private func entity(_ component: String, _ object: String, _ body: (inout JSONText) -> Void) -> Publication {
        var json = JSONText()
        json.object { json in
            json.value("unique_id", "\(node)_\(object)")
            body(&json)
            json.object("origin") { json in
                json.value("name", "beacond")
                json.value("sw_version", version)
            }
        }
        return Publication(
            topic: "\(prefix)/\(component)/\(node)/\(object)/config", payload: json.text, isRetained: true)
    }

    /// - Parameter needsHearing: the last state means nothing while the scanner is blind.
    private func availability(needsHearing: Bool, into json: inout JSONText) {
        json.array("availability") { json in
            json.object { $0.value("topic", topics.status) }
            if needsHearing {
                json.object { json in
                    json.value("topic", topics.scanner)
                    json.value("value_template", "{{ 'offline' if value_json.scanner == 'blind' else 'online' }}")
                }
            }
        }
        json.value("availability_mode", "all")
    }

    private func scannerDevice(into json: inout JSONText) {
        json.object("device") { json in
            json.array("identifiers") { $0.value(nil, node) }
            json.value("name", "beacond \(topics.host)")
            json.value("model", "iBeacon scanner")
            json.value("sw_version", version)
        }
    }

    private func beaconDevice(_ key: String, _ name: String, into json: inout JSONText) {
        json.object("device") { json in
            json.array("identifiers") { $0.value(nil, "\(node)_\(key)") }
            json.value("name", name)
            json.value("model", "iBeacon")
            json.value("via_device", node)
        }
    }
}
