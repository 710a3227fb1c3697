package import Beacon
package import Rooms
import Text

/// A scanner's state, as far as the fleet needs it: the retained message on `{prefix}/{host}/scanner`.
package struct ScannerMessage: Hashable, Sendable {
    /// Bytes. A larger message is not from this project.
    package static let mostBytes = 64 << 10

    /// When it was written, by the scanner's clock; nil if it does not say.
    package var time: Timestamp?
    package var isBlind: Bool
    package var blindSince: Timestamp?
    /// Nil if the scanner's configuration has no room.
    package var place: ScannerPlace?
    package var version: String?
    /// The revision of the content site that it holds.
    package var revision: Int64?
    /// Milliseconds to add to its clock; nil if unknown.
    package var clock: Int?
    /// Whether its clock is synchronised; nil if unknown.
    package var isSynchronised: Bool?
    /// The bridge that publishes for it; nil if the scanner publishes itself.
    package var bridge: String?

    /// - Parameter host: the scanner's name in the topic.
    /// - Throws: `FleetMessageError` if it is not such a message.
    package init(json: [UInt8], host: String) throws(FleetMessageError) {
        guard json.count <= Self.mostBytes else {
            throw FleetMessageError("is larger than \(Self.mostBytes >> 10) KiB")
        }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "state of a scanner")
        time = wire.time.flatMap { Timestamp(rfc3339: $0) }
        isBlind = wire.scanner != "ok"
        version = wire.version.map { String($0.unicodeScalars.prefix(60)) }
        revision = wire.revision
        clock = wire.clock_ms.flatMap { LevelsMessage.corrections.contains($0) ? $0 : nil }
        isSynchronised = wire.clock_synchronised
        bridge = wire.bridge.flatMap { $0.utf8.count <= FleetTopics.longestName ? $0 : nil }
        blindSince = isBlind ? wire.blind_since.flatMap { Timestamp(rfc3339: $0) } : nil
        guard let room = wire.room, !room.isEmpty, room.utf8.count <= PlaceName.mostBytes else { return }
        var position = wire.x.flatMap { x in wire.y.map { Position(x: x, y: $0) } }
        // As in the scanner's configuration.
        if let given = position, ![given.x, given.y].allSatisfy({ (-10_000...10_000).contains($0) }) { position = nil }
        place = ScannerPlace(scanner: host, room: room, floor: RoomMap.Room.floor(wire.floor), position: position,
            beacon: wire.beacon.flatMap { BeaconID($0) }.flatMap { $0.uuid == FleetBeacon.uuid ? $0 : nil })
    }

    private struct Wire: Decodable {
        var time: String?
        var scanner: String
        var room: String?
        var floor: Int?
        var x: Double?
        var y: Double?
        var version: String?
        var revision: Int64?
        var clock_ms: Int?
        var beacon: String?
        var clock_synchronised: Bool?
        var blind_since: String?
        var bridge: String?
    }
}
