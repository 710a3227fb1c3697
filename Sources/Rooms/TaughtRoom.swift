/// What somebody has shown of a room by walking about in it with a beacon.
package struct TaughtRoom: Hashable, Sendable {
    /// What is lost on the way from somewhere in the room to each scanner: dB below the beacon's level at 1 m. A
    /// scanner that could hear and heard nothing has nil; one that was not there is missing.
    package typealias Losses = [String: Double?]

    /// Spots in a room, and rooms, at most.
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
