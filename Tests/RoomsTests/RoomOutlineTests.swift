import Beacon
import Rooms
import Testing

private func rectangle(_ name: String, _ left: Double, _ top: Double, _ right: Double, _ bottom: Double, floor: Int = 0)
    -> RoomOutline
{
    RoomOutline(
        room: .init(name: name, floor: floor),
        corners: [
            Position(x: left, y: top), Position(x: right, y: top), Position(x: right, y: bottom),
            Position(x: left, y: bottom),
        ])
}

@Suite struct RoomOutlineTests {
    private let ell = RoomOutline(
        room: .init(name: "L", floor: 0),
        corners: [(0, 0), (8, 0), (8, 4), (4, 4), (4, 8), (0, 8)].map { Position(x: $0.0, y: $0.1) })

    @Test("what is inside of corners is found, also around a corner", arguments: [
        (1, 1, true), (7, 3, true), (3, 7, true), (7, 7, false), (5, 5, false), (-1, 1, false), (9, 3, false),
    ] as [(Double, Double, Bool)])
    func inside(x: Double, y: Double, isInside: Bool) {
        let map = RoomMap([ScannerPlace(scanner: "a", room: "L", position: Position(x: 1, y: 1))], outlines: [ell])
        let near = map.cells.filter { ($0.position?.distance(to: Position(x: x, y: y)) ?? 99) < 1.5 }
        #expect(near.contains { map.rooms[$0.room].name == "L" } == isInside)
    }

    @Test("walls that cross and rooms without an area are told", arguments: [
        ([(0, 0), (8, 0), (8, 6), (0, 6)], nil), ([(0, 0), (8, 0), (4, 5)], nil),
        ([(0, 0), (0, 6), (0, 6), (0, 0)], "no area"), ([(0, 0), (8, 0), (16, 0)], "no area"),
        // In the second, both halves have the same area.
        ([(0, 0), (8, 6), (8, 0), (0, 5)], "cross"), ([(0, 0), (4, 4), (4, 0), (0, 4)], "cross"),
        ([(0, 0), (8, 0), (8, 8), (4, -4), (0, 8)], "cross"),
    ] as [([(Double, Double)], String?)])
    func shapes(corners: [(Double, Double)], words: String?) {
        let outline = RoomOutline(
            room: .init(name: "a", floor: 0), corners: corners.map { Position(x: $0.0, y: $0.1) })
        if let words {
            #expect(outline.problem?.contains(words) == true, "\(outline.problem ?? "none")")
        } else {
            #expect(outline.problem == nil)
        }
        #expect(ell.problem == nil)
    }

    @Test("rooms that share more than walls are told, those beside each other or on other floors are not")
    func overlaps() {
        func pairs(_ outlines: [RoomOutline]) -> [[String]] {
            RoomOutline.overlaps(outlines).map { [$0.0.name, $0.1.name] }
        }
        let a = rectangle("A", 0, 0, 8, 6)
        #expect(pairs([a, rectangle("B", 8, 0, 16, 6), rectangle("C", 0, 6, 16, 9)]) == [])
        #expect(pairs([a, rectangle("B", 4, 0, 16, 6, floor: 1)]) == [])
        #expect(pairs([a, rectangle("B", 6, -2, 16, 4)]) == [["A", "B"]])
        #expect(pairs([a, rectangle("closet", 1, 1, 2, 2)]) == [["A", "closet"]])
        #expect(pairs([a, rectangle("same", 0, 0, 8, 6)]) == [["A", "same"]])
        // Two walls are in line.
        #expect(pairs([a, rectangle("B", 2, 0, 16, 6)]) == [["A", "B"]])
    }

    @Test("squares belong to the room that is drawn around them, not to the nearest scanner")
    func drawn() {
        // The scanner of B stands at the wall to A.
        let map = RoomMap(
            [
                ScannerPlace(scanner: "a", room: "A", position: Position(x: 1, y: 3)),
                ScannerPlace(scanner: "b", room: "B", position: Position(x: 8.5, y: 3)),
            ], outlines: [rectangle("A", 0, 0, 8, 6), rectangle("B", 8, 0, 16, 6)])
        #expect(map.rooms.map(\.name) == ["A", "B"])
        #expect(map.cells.count == 24)
        for cell in map.cells {
            #expect(cell.position.map { $0.x < 8 ? "A" : "B" } == map.rooms[cell.room].name)
        }
    }

    @Test("a room without a scanner, a small one and one far away have squares")
    func without() {
        let map = RoomMap(
            [ScannerPlace(scanner: "a", room: "A", position: Position(x: 4, y: 3))],
            outlines: [rectangle("A", 0, 0, 8, 6), rectangle("closet", 8, 0, 8.8, 0.8), rectangle("far", 90, 0, 94, 4)])
        let named = Dictionary(grouping: map.cells) { map.rooms[$0.room].name }.mapValues(\.count)
        #expect(named["closet"] == 1)
        #expect(named["far"] == 4)
    }

    @Test("a scanner without a position is taken to be in the middle of its room")
    func middle() {
        let places = [ScannerPlace(scanner: "a", room: "A"), ScannerPlace(scanner: "b", room: "B")]
        #expect(!RoomMap(places).hasPositions)
        let map = RoomMap(places, outlines: [rectangle("A", 0, 0, 8, 6), rectangle("B", 8, 0, 16, 6)])
        #expect(map.hasPositions)
        var resolver = RoomResolver(map)
        let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
        for second in 0..<20 as Range<Int64> {
            _ = resolver.resolve(
                second,
                [("a", -80.0), ("b", -62.0)].map { scanner, level in
                    ScannerSecond(
                        scanner: scanner, second: second, heard: [HeardLevel(beacon: beacon, level: level, count: 3)])
                })
        }
        #expect(resolver.answer(beacon)?.room?.name == "B")
        // Two of them were never measured: metres would be made up.
        #expect(resolver.answer(beacon)?.spot == nil)
    }

    @Test("absurd plans are cut off, not followed")
    func absurd() {
        let huge = rectangle("huge", -10_000, -10_000, 10_000, 10_000)
        let flat = RoomOutline(
            room: .init(name: "flat", floor: 0), corners: Array(repeating: Position(x: 3, y: 3), count: 3))
        let map = RoomMap(
            [ScannerPlace(scanner: "a", room: "A", position: Position(x: 0, y: 0))], outlines: [huge, flat])
        #expect(map.cells.count <= RoomMap.mostCells)
    }
}
