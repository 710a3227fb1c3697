package import Beacon
package import FleetFormat

/// A message of an ESPresense node: `{prefix}/devices/{id}/{room}` with `{"rssi":-70,…}` for each beacon, and
/// `{prefix}/rooms/{room}/status` and `…/telemetry` about itself.
package enum ESPresenseMessage: Hashable, Sendable {
    /// The level is in dBm.
    case beacon(BeaconID, level: Double, node: String)
    /// A device that is not an iBeacon, or that has another name in the node's settings.
    case otherDevice(node: String)
    case status(isOnline: Bool, node: String)
    case telemetry(version: String?, node: String)

    package static let mostBytes = 4 << 10
    /// The maximum length of a node's name, in bytes.
    package static let longestName = 200
    private static let longestVersion = 60

    /// The topics to subscribe to.
    package static func subscriptions(_ prefix: String) -> [String] {
        ["devices/+/+", "rooms/+/status", "rooms/+/telemetry"].map { "\(prefix)/\($0)" }
    }

    /// Nil for any other topic.
    ///
    /// - Throws: `FleetMessageError` if the message cannot be read.
    package init?(_ topic: String, _ payload: [UInt8], prefix: String) throws(FleetMessageError) {
        guard topic.hasPrefix(prefix + "/") else { return nil }
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 3 else { return nil }
        let node = String(levels[0] == "devices" ? levels[2] : levels[1])
        guard !node.isEmpty, node.utf8.count <= Self.longestName, payload.count <= Self.mostBytes else {
            throw FleetMessageError("is too long")
        }
        switch (levels[0], levels[2]) {
        case ("devices", _):
            guard let beacon = Self.beacon(levels[1]) else {
                self = .otherDevice(node: node)
                return
            }
            let wire = try FleetMessageError.decode(Device.self, payload, as: "device of ESPresense")
            guard (-127...20).contains(wire.rssi) else { throw FleetMessageError("has an rssi outside -127 to 20") }
            self = .beacon(beacon, level: wire.rssi, node: node)
        case ("rooms", "status"): self = .status(isOnline: payload == Array("online".utf8), node: node)
        case ("rooms", "telemetry"):
            let wire = try FleetMessageError.decode(Telemetry.self, payload, as: "telemetry of ESPresense")
            let version = wire.ver.map { String($0.unicodeScalars.prefix(Self.longestVersion)) }
            self = .telemetry(version: version, node: node)
        default: return nil
        }
    }

    /// `iBeacon:UUID-major-minor`.
    private static func beacon(_ id: Substring) -> BeaconID? {
        let parts = id.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "iBeacon" else { return nil }
        let numbers = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 7, let uuid = ProximityUUID(numbers.prefix(5).joined(separator: "-")),
            let major = UInt16(numbers[5]), let minor = UInt16(numbers[6])
        else { return nil }
        return BeaconID(uuid: uuid, major: major, minor: minor)
    }

    private struct Device: Decodable {
        var rssi: Double
    }

    private struct Telemetry: Decodable {
        var ver: String?
    }
}
