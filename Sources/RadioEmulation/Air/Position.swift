import Glibc

/// A place in metres.
package struct Position: Hashable, Sendable {
    /// Metres along the room.
    package var x: Double
    /// Metres across it.
    package var y: Double
    /// Height.
    package var z: Double

    /// Metres; the height is 0 where it does not matter.
    package init(_ x: Double, _ y: Double, _ z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Metres to another place.
    package func distance(to other: Position) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return sqrt(dx * dx + dy * dy + dz * dz)
    }

    static func - (left: Position, right: Position) -> Position {
        Position(left.x - right.x, left.y - right.y, left.z - right.z)
    }

    /// The place that is `fraction` of the way to another.
    func towards(_ other: Position, by fraction: Double) -> Position {
        Position(x + (other.x - x) * fraction, y + (other.y - y) * fraction, z + (other.z - z) * fraction)
    }
}
