package import Beacon
package import Broker
package import FleetFormat
package import Rooms
import Text

/// Home Assistant's discovery of rooms: each beacon is a device with a tracker and a sensor, each room one with its
/// occupancy and the number of its beacons. A function of its arguments, so that all resolvers publish the same bytes.
/// home-assistant.io: "MQTT", section "MQTT Discovery"; "MQTT Device tracker"; "MQTT Sensor"; "MQTT binary sensor".
package struct RoomDiscovery: Hashable, Sendable {
    private let prefix: String
    private let topics: FleetTopics

    /// - Parameter prefix: `homeassistant`, unless it is set to something else there.
    package init(prefix: String, topics: FleetTopics) {
        self.prefix = prefix
        self.topics = topics
    }

    /// The prefix for topics and identifiers, in which dashes and slashes have a meaning.
    private var node: String { "fleet_" + Self.key(topics.prefix) }

    // MARK: - Beacons

    /// - Parameter name: nil if it has none.
    package func beacon(_ id: BeaconID, name: String?) -> [Publication] {
        let key = Self.key("\(id.uuid)_\(id.major)_\(id.minor)".replacing("-", with: ""))
        let device = (key: key, name: name ?? "Beacon \(id.major).\(id.minor)", model: "iBeacon")
        return [
            entity("device_tracker", key + "_tracker", device) { json in
                json.value("name", String?.none)
                json.value("state_topic", topics.room(id))
                json.value("value_template", Self.tracker)
                json.value("json_attributes_topic", topics.room(id))
                json.value("source_type", "bluetooth_le")
            },
            entity("sensor", key + "_room", device) { json in
                json.value("name", "Room")
                json.value("icon", "mdi:map-marker")
                json.value("state_topic", topics.room(id))
                // Null becomes None, which is "unknown" there.
                json.value("value_template", "{{ value_json.room if value_json is defined else None }}")
                json.value("json_attributes_topic", topics.room(id))
            },
        ]
    }

    /// A beacon that is not received although all scanners can receive is away. If they cannot, or if the room is
    /// undecided, it is unknown: `None` resets the tracker.
    private static let tracker =
        "{% if value_json is not defined %}None{% elif value_json.room %}{{ value_json.room }}"
        + "{% elif value_json.unknown == '\(RoomAnswer.Unknown.notHeard.rawValue)' %}not_home{% else %}None{% endif %}"

    /// Empty messages on a beacon's topics, which remove it.
    package func removed(_ id: BeaconID) -> [Publication] { beacon(id, name: nil).map(Self.emptied) }

    // MARK: - Rooms

    package func room(_ room: RoomMap.Room) -> [Publication] {
        let key = Self.key(room)
        let device = (key: key, name: room.name, model: "Room on floor \(room.floor)")
        return [
            entity("binary_sensor", key + "_occupancy", device) { json in
                json.value("name", "Occupancy")
                json.value("device_class", "occupancy")
                json.value("state_topic", topics.occupancy(key))
                json.value(
                    "value_template", "{{ 'ON' if value_json is defined and value_json.beacons > 0 else 'OFF' }}")
            },
            entity("sensor", key + "_beacons", device) { json in
                json.value("name", "Beacons")
                json.value("icon", "mdi:counter")
                json.value("state_class", "measurement")
                json.value("state_topic", topics.occupancy(key))
                json.value("value_template", "{{ value_json.beacons if value_json is defined else None }}")
            },
        ]
    }

    /// How many beacons are in a room.
    package func occupancy(_ room: RoomMap.Room, beacons: Int) -> Publication {
        var json = JSONText()
        json.object { json in
            json.value("room", room.name)
            json.value("floor", room.floor)
            json.value("beacons", beacons)
        }
        return Publication(topic: topics.occupancy(Self.key(room)), payload: json.text, isRetained: true)
    }

    /// Empty messages on a room's topics, which remove it.
    package func removed(_ room: RoomMap.Room) -> [Publication] {
        (self.room(room) + [occupancy(room, beacons: 0)]).map(Self.emptied)
    }

    private static func emptied(_ publication: Publication) -> Publication {
        Publication(topic: publication.topic, payload: "", isRetained: true)
    }

    // MARK: - Pieces

    private func entity(
        _ component: String, _ object: String, _ device: (key: String, name: String, model: String),
        _ body: (inout JSONText) -> Void
    ) -> Publication {
        var json = JSONText()
        json.object { json in
            json.value("unique_id", "\(node)_\(object)")
            body(&json)
            json.object("device") { json in
                json.array("identifiers") { $0.value(nil, "\(node)_\(device.key)") }
                json.value("name", device.name)
                json.value("model", device.model)
            }
            json.object("origin") { $0.value("name", "beacon-fleet") }
        }
        return Publication(
            topic: "\(prefix)/\(component)/\(node)/\(object)/config", payload: json.text, isRetained: true)
    }

    /// Names of rooms may have characters that are not used in topics here, or differ only in those. A hash
    /// distinguishes them.
    private static func key(_ room: RoomMap.Room) -> String {
        let hash = shortDigest("\(room.floor)/\(room.name)".utf8)
        let floor = room.floor < 0 ? "b\(room.floor.magnitude)" : "f\(room.floor)"
        return "room_\(floor)_\(Self.key(String(room.name.prefix(24))))_\(hash)"
    }

    private static func key(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
                default: Character("_")
                }
            })
    }
}
