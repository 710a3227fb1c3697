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
    /// Where on the room's floor; nil where there is no room, or fewer than three scanners have a position.
    package var spot: Spot?

    package init(
        beacon: BeaconID, room: RoomMap.Room?, unknown: Unknown?, probability: Double, since: Int64, spot: Spot? = nil
    ) {
        self.beacon = beacon
        self.room = room
        self.unknown = unknown
        self.probability = probability
        self.since = since
        self.spot = spot
    }
}
