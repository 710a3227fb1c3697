package import Rooms
package import Text

extension JSONText {
    /// The key `rooms`: the outlines of rooms, each with `room`, `floor` and `corners` in metres.
    package mutating func rooms(_ outlines: [RoomOutline]) {
        array("rooms") { json in
            for outline in outlines {
                json.object { json in
                    json.value("room", outline.room.name)
                    json.value("floor", outline.room.floor)
                    json.array("corners") { json in
                        for corner in outline.corners {
                            json.array { json in
                                json.value(nil, corner.x, digits: 2)
                                json.value(nil, corner.y, digits: 2)
                            }
                        }
                    }
                }
            }
        }
    }
}
