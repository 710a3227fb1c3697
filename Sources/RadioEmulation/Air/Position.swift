import Glibc

/// A position in metres.
package struct Position: Hashable, Sendable {
    /// Metres along the room.
    package var x: Double
    /// Metres across the room.
    package var y: Double
    /// Height in metres.
    package var z: Double

    /// Metres.
    package init(_ x: Double, _ y: Double, _ z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The distance to another position in metres.
    package func distance(to other: Position) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return sqrt(dx * dx + dy * dy + dz * dz)
    }

    static func - (left: Position, right: Position) -> Position {
        Position(left.x - right.x, left.y - right.y, left.z - right.z)
    }

    /// The position at `fraction` of the line to another one.
    func towards(_ other: Position, by fraction: Double) -> Position {
        Position(x + (other.x - x) * fraction, y + (other.y - y) * fraction, z + (other.z - z) * fraction)
    }
}
