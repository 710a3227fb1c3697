// Which outlines are valid.
extension RoomOutline {
    /// Square metres of the smallest room.
    private static let leastArea = 0.1

    /// What is wrong with the shape, as the end of a sentence that begins with the room; nil if it is valid.
    package var problem: String? {
        if crossesItself { return "has walls that cross: give the corners one after the other around the room" }
        if area < Self.leastArea { return "has no area: check whether corners are given twice, or lie on one line" }
        return nil
    }

    /// Square metres, by the shoelace formula; meaningless if walls cross.
    private var area: Double {
        abs(edges.reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }) / 2
    }

    private var crossesItself: Bool {
        let walls = Array(edges)
        for (index, one) in walls.enumerated() {
            for other in walls[(index + 1)...] where Self.doCross(one, other) { return true }
        }
        return false
    }

    /// Pairs of rooms of one floor that share more than walls.
    package static func overlaps(_ outlines: [RoomOutline]) -> [(RoomMap.Room, RoomMap.Room)] {
        var found: [(RoomMap.Room, RoomMap.Room)] = []
        for (index, one) in outlines.enumerated() {
            for other in outlines[(index + 1)...] where one.room.floor == other.room.floor && one.overlaps(other) {
                found.append((one.room, other.room))
            }
        }
        return found
    }

    private func overlaps(_ other: RoomOutline) -> Bool {
        if edges.contains(where: { wall in other.edges.contains { Self.doCross(wall, $0) } }) { return true }
        // One is in the other, or both are the same.
        return contains(other.innerPoint) || other.contains(innerPoint)
    }

    /// A point within the room: beside the middle of a wall.
    private var innerPoint: Position {
        for (from, to) in edges {
            let length = from.distance(to: to)
            guard length > 0 else { continue }
            let aside = min(0.01, length / 100) / length
            for sign in [1.0, -1.0] {
                let point = Position(
                    x: (from.x + to.x) / 2 - sign * aside * (to.y - from.y),
                    y: (from.y + to.y) / 2 + sign * aside * (to.x - from.x))
                if contains(point) { return point }
            }
        }
        return middle
    }

    /// Whether two walls cross, each between its ends. Unlike a path (`crossings`), a wall that only touches another
    /// does not cross it: the walls of a room meet at its corners, and neighbours share walls.
    private static func doCross(_ one: (Position, Position), _ other: (Position, Position)) -> Bool {
        turn(one.0, one.1, other.0) * turn(one.0, one.1, other.1) < 0
            && turn(other.0, other.1, one.0) * turn(other.0, other.1, one.1) < 0
    }
}
