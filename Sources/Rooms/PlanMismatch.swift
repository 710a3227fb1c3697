/// Rooms of which only the plan knows, or only the scanners do: most likely the same ones, called differently. A room
/// without a scanner may be drawn, but a scanner in a room that is not drawn has no walls around it.
package struct PlanMismatch: Hashable, Sendable {
    /// Rooms that are drawn, and that no scanner and no lesson names.
    package private(set) var onlyDrawn: [RoomMap.Room] = []
    /// Rooms in which scanners stand, and that are not drawn.
    package private(set) var notDrawn: [RoomMap.Room] = []

    /// Nothing differs.
    package init() {}

    /// Nothing differs where nobody has drawn anything, or no scanner is there yet.
    package init(outlines: [RoomOutline], scanners: [ScannerPlace], taught: some Sequence<RoomMap.Room>) {
        guard !outlines.isEmpty, !scanners.isEmpty else { return }
        let drawn = Set(outlines.map(\.room))
        let occupied = Set(scanners.map(\.inRoom))
        onlyDrawn = drawn.subtracting(occupied).subtracting(taught).sorted()
        notDrawn = occupied.subtracting(drawn).sorted()
    }
}
