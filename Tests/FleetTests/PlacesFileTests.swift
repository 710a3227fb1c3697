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

    @Test("every mistake is told, with its line", arguments: [
        ("", [nil], "no scanners"),
        ("scanner: a", [1], "must be a list"),
        ("- scanner: a", [1], "room is missing"),
        ("- {scanner: a, room: b, x: 3}", [1], "both x and y"),
        ("- {scanner: a, room: b, stairs: 3}", [1], "'stairs' is not known"),
        ("- {scanner: a, room: b, floor: up}", [1], "whole number"),
        ("- {scanner: a, room: b}\n- {scanner: a, room: c}", [2], "has a place already"),
        ("- {scanner: a, room: ''}", [1], "1 to 200 characters"),
        ("- [", [nil], ""),
    ] as [(String, [Int?], String)])
    func bad(text: String, lines: [Int?], message: String) {
        let file = PlacesFile(text)
        #expect(file.issues.count == lines.count)
        if let line = lines.first ?? nil { #expect(file.issues.first?.line == line) }
        #expect(file.issues.first?.message.contains(message) == true, "\(file.issues)")
    }
}
