package import Rooms
import Text

/// The outlines of rooms, retained on `{prefix}/fleet/plan`:
///
///     {"rooms":[{"room":"Hall 1","floor":0,"corners":[[0.0,0.0],[8.0,0.0],[8.0,6.0],[0.0,6.0]]}]}
///
/// Corners are in metres on the floor's plan, one after the other around the room.
package enum PlanMessage {
    /// Bytes. A larger message is not from this project.
    package static let mostBytes = 128 << 10

    package static func json(_ outlines: [RoomOutline]) -> String {
        var json = JSONText()
        json.object { $0.rooms(outlines.sorted { $0.room < $1.room }) }
        return json.text
    }

    /// - Throws: `FleetMessageError` if it is not such a message.
    package static func outlines(json: [UInt8]) throws(FleetMessageError) -> [RoomOutline] {
        guard json.count <= mostBytes else { throw FleetMessageError("is larger than \(mostBytes >> 10) KiB") }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "plan")
        guard wire.rooms.count <= RoomOutline.mostRooms else {
            throw FleetMessageError("has more than \(RoomOutline.mostRooms) rooms")
        }
        var outlines: [RoomOutline] = []
        for room in wire.rooms {
            let isOutline = room.corners.allSatisfy { $0.count == 2 && $0.allSatisfy { abs($0) <= 10_000 } }
            guard !room.room.isEmpty, room.room.utf8.count <= PlaceName.mostBytes,
                RoomOutline.corners.contains(room.corners.count), isOutline
            else { throw FleetMessageError("has a room without a name, or whose corners are not 3 to 32 times [x, y]") }
            let floor = room.floor ?? 0
            guard RoomMap.Room.floors.contains(floor) else {
                throw FleetMessageError("has a room on floor \(floor): floors are from -99 to 999")
            }
            outlines.append(
                RoomOutline(
                    room: .init(name: room.room, floor: floor),
                    corners: room.corners.map { Position(x: $0[0], y: $0[1]) }))
        }
        return outlines
    }

    private struct Wire: Decodable {
        struct Room: Decodable {
            var room: String
            var floor: Int?
            var corners: [[Double]]
        }

        var rooms: [Room]
    }
}
