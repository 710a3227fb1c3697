import Beacon
package import Rooms
import Text

/// A beacon's room, retained on `{prefix}/rooms/{uuid}/{major}/{minor}`:
///
///     {"uuid":"…","major":1,"minor":7,"room":"Hall 2","floor":0,"probability":0.95,"since":"…","x":3.5,"y":12.0,
///      "within":2.5,"level":-58.5}
///
/// `room` is null if it is unknown, and `unknown` then says why. `x`, `y` and `within` are null if fewer than three
/// scanners have a position. `level` is in dBm at 1 m, as the fleet receives the beacon. The message has no time of its
/// own, so that two resolvers publish the same bytes.
package struct RoomMessage: Hashable, Sendable {
    package static let mostBytes = 8 << 10

    package var answer: RoomAnswer
    package var level: Double

    package init(_ answer: RoomAnswer, level: Double) {
        self.answer = answer
        self.level = level
    }

    package var json: String {
        var json = JSONText()
        json.object { json in
            json.identity(answer.beacon, name: nil)
            json.room(of: answer)
            json.value("level", level, digits: 1)
        }
        return json.text
    }

    /// Reads what a resolver that starts continues from.
    ///
    /// - Throws: `FleetMessageError` if it is not such a message.
    package static func known(json: [UInt8]) throws(FleetMessageError) -> RoomContinuation.Known {
        guard json.count <= mostBytes else { throw FleetMessageError("is larger than \(mostBytes >> 10) KiB") }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "answer")
        guard let uuid = ProximityUUID(wire.uuid), let since = Timestamp(rfc3339: wire.since),
            SecondBarrier.seconds.contains(Int64(since.seconds.rounded(.down))), let level = wire.level,
            (-127...20).contains(level)
        else { throw FleetMessageError("has no identity, since or level") }
        return RoomContinuation.Known(
            beacon: BeaconID(uuid: uuid, major: wire.major, minor: wire.minor),
            room: wire.room.map { RoomMap.Room(name: $0, floor: RoomMap.Room.floor(wire.floor)) },
            unknown: wire.room == nil ? wire.unknown.flatMap(RoomAnswer.Unknown.init) : nil,
            since: Int64(since.seconds.rounded(.down)), level: level, spot: wire.spot,
            probability: min(1, max(0, wire.probability ?? 0)))
    }

    private struct Wire: Decodable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
        var room: String?
        var floor: Int?
        var unknown: String?
        var since: String
        var level: Double?
        var probability: Double?
        var x: Double?
        var y: Double?
        var within: Double?

        var spot: Spot? {
            guard let x, let y, let within, [x, y].allSatisfy({ abs($0) <= 100_000 }), (0...1000).contains(within)
            else { return nil }
            return Spot(position: Position(x: x, y: y), within: within)
        }
    }
}
