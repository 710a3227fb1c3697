import Beacon
import Fleet
import Rooms
import Testing
import YAMLText

@Suite struct PlacesFileTests {
    @Test("a list of scanners is read, in YAML and in JSON", arguments: [
        """
        - scanner: pi-1
          room: Hall 1
          floor: 1
          x: 3.5
          y: 2
        - {scanner: pi-2, room: Café}
        """,
            #"[{"scanner": "pi-1", "room": "Hall 1", "floor": 1, "x": 3.5, "y": 2}, {"scanner": "pi-2", "room": "Café", "x": null, "y": null}]"#,
    ])
    func good(text: String) {
        let file = PlacesFile(text)
        #expect(file.issues.isEmpty)
        #expect(
            file.places == [
                ScannerPlace(scanner: "pi-1", room: "Hall 1", floor: 1, position: Position(x: 3.5, y: 2)),
                ScannerPlace(scanner: "pi-2", room: "Café"),
            ])
    }

    @Test("rooms are read by their corners, or by two that are opposite")
    func rooms() {
        let file = PlacesFile(
            """
            scanners:
            - {scanner: pi-1, room: Hall 1}
            rooms:
            - {room: Hall 1, from: [0, 0], to: [8, 6]}
            - {room: قاعة, floor: 1, corners: [[0, 0], [4, 0], [0, 4.5]]}
            """)
        #expect(file.issues.isEmpty)
        #expect(file.places == [ScannerPlace(scanner: "pi-1", room: "Hall 1")])
        #expect(
            file.outlines == [
                RoomOutline(
                    room: .init(name: "Hall 1", floor: 0),
                    corners: [Position(x: 0, y: 0), Position(x: 8, y: 0), Position(x: 8, y: 6), Position(x: 0, y: 6)]),
                RoomOutline(
                    room: .init(name: "قاعة", floor: 1),
                    corners: [Position(x: 0, y: 0), Position(x: 4, y: 0), Position(x: 0, y: 4.5)]),
            ])
    }

    @Test("what a scanner sends is read, if it is a scanner's beacon")
    func beacon() {
        let id = FleetBeacon.identity(of: "pi-1")
        #expect(PlacesFile("- {scanner: pi-1, room: a, beacon: \(id)}").places.first?.beacon == id)
        #expect(
            PlacesFile("- {scanner: pi-1, room: a, beacon: null}").places == [ScannerPlace(scanner: "pi-1", room: "a")])
        let wrong = PlacesFile("- {scanner: pi-1, room: a, beacon: 1.7}")
        #expect(wrong.issues.map(\.message) == ["beacon is '1.7': \(FleetBeacon.uuid)/MAJOR/MINOR is needed"])
    }

    @Test("a file for rooms alone may be their list, and says so where it has none", arguments: [
        "", "# nothing", "rooms: []", "scanners: [{scanner: a, room: b}]",
    ])
    func roomsAlone(text: String) {
        let list = PlacesFile("- {room: Hall 1, floor: null, from: [0, 0], to: [8, 6]}", for: .rooms)
        #expect(list.issues.isEmpty && list.outlines.map(\.room) == [.init(name: "Hall 1", floor: 0)])
        let empty = PlacesFile(text, for: .rooms)
        #expect(empty.issues.map(\.message).contains { $0.contains("write them as rooms:") }, "\(empty.issues)")
    }

    @Test("every mistake is told, with its line", arguments: [
        ("", [nil], "no scanners"),
        ("scanner: a", [1], "'scanner' is not known"),
        ("7", [1], "needs `key: value` lines"),
        ("rooms:\n- {room: a}", [2], "from and to"),
        ("rooms:\n- {room: a, corners: [[0, 0], [1, 0]]}", [2], "three corners"),
        ("rooms:\n- {room: a, from: [0, 0], to: [1]}", [2], "[x, y]"),
        ("rooms:\n- {room: a, from: [0, 0], to: [1, 1]}\n- {room: a, from: [0, 0], to: [1, 1]}", [3], "there already"),
        ("- scanner: a", [1], "room is missing"),
        ("- {scanner: a, room: b, x: 3}", [1], "both x and y"),
        ("- {scanner: a, room: b, stairs: 3}", [1], "'stairs' is not known"),
        ("- {scanner: a, room: b, floor: up}", [1], "whole number"),
        ("- {scanner: a, room: b}\n- {scanner: a, room: c}", [2], "already has a place"),
        ("- {scanner: a, room: ''}", [1], "1 to 200 characters"),
        ("- {scanner: a, room: 'Hall 1 '}", [1], "a space at its beginning or end"),
        ("- {scanner: a, room: \"Hall\\n1\"}", [1], "a line break"),
        ("rooms:\n- {room: a, from: [0, 0], to: [0, 6]}", [2], "no area"),
        ("rooms:\n- {room: a, corners: [[0, 0], [8, 0], [16, 0]]}", [2], "no area"),
        ("rooms:\n- {room: a, corners: [[0, 0], [8, 6], [8, 0], [0, 5]]}", [2], "walls that cross"),
        ("rooms:\n- {room: a, corners: [[0, 0], [8, 0], [8, 6]], from: [0, 0]}", [2], "either corners, or"),
        ("- [", [nil], ""),
    ] as [(String, [Int?], String)])
    func bad(text: String, lines: [Int?], message: String) {
        let file = PlacesFile(text)
        #expect(file.issues.count == lines.count)
        if let line = lines.first ?? nil { #expect(file.issues.first?.line == line) }
        #expect(file.issues.first?.message.contains(message) == true, "\(file.issues)")
    }
}
