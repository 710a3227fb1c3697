package import Beacon

/// The room of a beacon, as far as it is known.
package struct RoomAnswer: Hashable, Sendable {
    /// Why there is no room.
    package enum Unknown: String, Hashable, Sendable {
        /// No scanner receives it, although those that did still can.
        case notHeard = "not heard"
        /// The scanners that would receive it are blind.
        case blind
        /// The levels fit several rooms.
        case undecided
    }

    package var beacon: BeaconID
    /// Nil if unknown.
    package var room: RoomMap.Room?
    package var unknown: Unknown?
    /// The room's probability, in steps of 0.05, at most 0.99; 0 if there is no room.
    package var probability: Double
    /// When this became the room, or the room became unknown, in seconds since 1970.
    package var since: Int64
    /// The position on the room's floor; nil if there is no room, or if fewer than three scanners have a position.
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
