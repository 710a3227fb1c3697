/// What was learned about a room by walking about in it with a beacon.
package struct TaughtRoom: Hashable, Sendable {
    /// The loss from a spot in the room to each scanner: dB below the beacon's level at 1 m. A scanner that could
    /// receive but received nothing has nil. A scanner that was not there is missing.
    package typealias Losses = [String: Double?]

    /// The maximum number of spots in a room, and of rooms.
    package static let mostSpots = 8
    package static let mostRooms = 200

    package var room: RoomMap.Room
    /// At least one.
    package var spots: [Losses]

    package init(room: RoomMap.Room, spots: [Losses]) {
        self.room = room
        self.spots = spots
    }
}
