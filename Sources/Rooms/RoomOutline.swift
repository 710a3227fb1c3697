/// The outline of a room on its floor's plan: a polygon.
package struct RoomOutline: Hashable, Sendable {
    package static let corners = 3...32
    /// The maximum number of rooms of a building.
    package static let mostRooms = 200

    package var room: RoomMap.Room
    /// One after the other around the room, in metres.
    package var corners: [Position]
    private let box: (least: Position, greatest: Position)

    /// - Parameter corners: at least three.
    package init(room: RoomMap.Room, corners: [Position]) {
        self.room = room
        self.corners = corners
        box = (
            Position(x: corners.map(\.x).min() ?? 0, y: corners.map(\.y).min() ?? 0),
            Position(x: corners.map(\.x).max() ?? 0, y: corners.map(\.y).max() ?? 0)
        )
    }

    package static func == (one: RoomOutline, other: RoomOutline) -> Bool {
        one.room == other.room && one.corners == other.corners
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(room)
        hasher.combine(corners)
    }

    /// The corners of the smallest rectangle around it.
    var bounds: (least: Position, greatest: Position) { box }

    /// The middle of its corners.
    var middle: Position {
        Position(
            x: corners.reduce(0) { $0 + $1.x } / Double(corners.count),
            y: corners.reduce(0) { $0 + $1.y } / Double(corners.count))
    }

    /// Its walls: from each corner to the next, and from the last to the first.
    var edges: Zip2Sequence<[Position], ArraySlice<Position>> {
        zip(corners, corners.dropFirst() + corners.prefix(1))
    }

    /// Whether a ray from the point crosses the outline an odd number of times.
    func contains(_ point: Position) -> Bool {
        var isInside = false
        for (one, other) in edges where (one.y > point.y) != (other.y > point.y) {
            let x = one.x + (other.x - one.x) * (point.y - one.y) / (other.y - one.y)
            if point.x < x { isInside.toggle() }
        }
        return isInside
    }

    /// How many times a straight path crosses the outline. A path through a corner crosses one of the two walls there,
    /// because it leaves the room once. Walls themselves cross only between their ends (`doCross`).
    func crossings(from start: Position, to end: Position) -> Int {
        guard max(start.x, end.x) >= box.least.x, min(start.x, end.x) <= box.greatest.x,
            max(start.y, end.y) >= box.least.y, min(start.y, end.y) <= box.greatest.y
        else { return 0 }
        return edges.count { one, other in
            Self.side(start, end, one) != Self.side(start, end, other)
                && Self.side(one, other, start) != Self.side(one, other, end)
        }
    }

    /// Which side of a line a point is on. On the line counts as one side, so that a corner is crossed once.
    private static func side(_ from: Position, _ to: Position, _ point: Position) -> Bool {
        turn(from, to, point) > 0
    }

    /// Positive if a point is on one side of a line, negative on the other, and 0 on the line.
    static func turn(_ from: Position, _ to: Position, _ point: Position) -> Double {
        (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
    }
}
