package import Beacon

/// Where a beacon is, as far as it is known.
package struct RoomAnswer: Hashable, Sendable {
    /// Why there is no room.
    package enum Unknown: String, Hashable, Sendable {
        /// No scanner hears it, and all that did could.
        case notHeard = "not heard"
        /// The scanners that would hear it cannot.
        case blind
        /// What is heard fits several rooms.
        case undecided
    }

    package var beacon: BeaconID
    /// Nil where it is not known.
    package var room: RoomMap.Room?
    package var unknown: Unknown?
    /// Of the room, in steps of 0.05; at most 0.99. 0 where there is no room.
    package var probability: Double
    /// Since when this is the room, or none is known: seconds since 1970.
    package var since: Int64

    package init(
        beacon: BeaconID, room: RoomMap.Room?, unknown: Unknown?, probability: Double, since: Int64
    ) {
        self.beacon = beacon
        self.room = room
        self.unknown = unknown
        self.probability = probability
        self.since = since
    }
}
