package import Rooms
import Text

/// A taught room, retained on `{prefix}/fleet/taught/{hash}`. `beacon-fleet locate --taught` reads it too:
///
///     {"room":"Hall 2","floor":0,"spots":[{"pi-1":14.2,"pi-2":31.5,"pi-3":null}]}
///
/// For each spot: the loss in dB from the beacon's level at 1 m to the level at each scanner; null if a scanner
/// receives nothing.
package enum TaughtRoomMessage {
    /// Bytes. A larger message is not from this project.
    package static let mostBytes = 128 << 10

    package static func json(_ taught: TaughtRoom) -> String {
        var json = JSONText()
        json.object { json in
            json.value("room", taught.room.name)
            json.value("floor", taught.room.floor)
            json.array("spots") { json in
                for spot in taught.spots {
                    json.object { json in
                        for (scanner, loss) in spot.sorted(by: { $0.key < $1.key }) {
                            json.value(scanner, loss, digits: 1)
                        }
                    }
                }
            }
        }
        return json.text
    }

    /// - Throws: `FleetMessageError` if it is not such a message.
    package static func taught(json: [UInt8]) throws(FleetMessageError) -> TaughtRoom {
        guard json.count <= mostBytes else { throw FleetMessageError("is larger than \(mostBytes >> 10) KiB") }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "taught room")
        guard !wire.room.isEmpty, wire.room.utf8.count <= PlaceName.mostBytes, !wire.spots.isEmpty,
            wire.spots.count <= TaughtRoom.mostSpots
        else { throw FleetMessageError("has no room, or not one to \(TaughtRoom.mostSpots) spots") }
        guard wire.spots.allSatisfy({ $0.values.contains { $0 != nil } }) else {
            throw FleetMessageError("has a spot that no scanner hears")
        }
        for loss in wire.spots.flatMap(\.values) {
            guard loss.map({ (-50...200).contains($0) }) ?? true else {
                throw FleetMessageError("has a loss that is not between -50 and 200 dB")
            }
        }
        return TaughtRoom(room: .init(name: wire.room, floor: RoomMap.Room.floor(wire.floor)), spots: wire.spots)
    }

    private struct Wire: Decodable {
        var room: String
        var floor: Int?
        var spots: [TaughtRoom.Losses]
    }
}
