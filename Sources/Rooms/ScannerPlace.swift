package import Beacon

/// Where on a floor something is, in metres from the corner of the floor's plan.
package struct Position: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Metres on the floor.
    package func distance(to other: Position) -> Double {
        let (dx, dy) = (x - other.x, y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

/// Where a scanner stands, as its own configuration says.
package struct ScannerPlace: Hashable, Sendable {
    package var scanner: String
    package var room: String
    /// 0 is the ground floor.
    package var floor: Int
    /// Nil where nobody has measured it.
    package var position: Position?
    /// What the scanner sends, where it is a beacon of the fleet too.
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

    /// Its room, on its floor: two floors may have rooms of one name.
    package var inRoom: RoomMap.Room { RoomMap.Room(name: room, floor: floor) }
}
