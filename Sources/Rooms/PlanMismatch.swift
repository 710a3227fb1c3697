/// Rooms that only the plan has, or only the scanners have: most likely the same rooms with different names. A drawn
/// room needs no scanner, but a scanner in a room that is not drawn has no walls around it.
package struct PlanMismatch: Hashable, Sendable {
    /// Rooms that are drawn, but that no scanner and no lesson names.
    package private(set) var onlyDrawn: [RoomMap.Room] = []
    /// Rooms with scanners that are not drawn.
    package private(set) var notDrawn: [RoomMap.Room] = []

    /// Nothing differs.
    package init() {}

    /// Nothing differs if nothing was drawn, or if there is no scanner yet.
    package init(outlines: [RoomOutline], scanners: [ScannerPlace], taught: some Sequence<RoomMap.Room>) {
        guard !outlines.isEmpty, !scanners.isEmpty else { return }
        let drawn = Set(outlines.map(\.room))
        let occupied = Set(scanners.map(\.inRoom))
        onlyDrawn = drawn.subtracting(occupied).subtracting(taught).sorted()
        notDrawn = occupied.subtracting(drawn).sorted()
    }
}
