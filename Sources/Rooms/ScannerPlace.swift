package import Beacon

/// A position on a floor, in metres from the corner of the floor's plan.
package struct Position: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The distance in metres, on the floor.
    package func distance(to other: Position) -> Double {
        let (dx, dy) = (x - other.x, y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

/// The place of a scanner, from its own configuration.
package struct ScannerPlace: Hashable, Sendable {
    package var scanner: String
    package var room: String
    /// 0 is the ground floor.
    package var floor: Int
    /// Nil if it was not measured.
    package var position: Position?
    /// The identity that the scanner sends, if it is also a beacon of the fleet.
    package var beacon: BeaconID?

    package init(
        scanner: String, room: String, floor: Int = 0, position: Position? = nil, beacon: BeaconID? = nil
    ) {
        self.scanner = scanner
        self.room = room
        self.floor = floor
        self.position = position
        self.beacon = beacon
    }

    /// Its room together with its floor, because two floors may have rooms of the same name.
    package var inRoom: RoomMap.Room { RoomMap.Room(name: room, floor: floor) }
}
