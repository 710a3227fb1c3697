package import Rooms
package import YAMLText

/// Where scanners stand, from a file that people write, in YAML or JSON:
///
///     - scanner: pi-1
///       room: Hall 1
///       floor: 0
///       x: 3.5
///       y: 2
package struct PlacesFile: Sendable {
    /// What is wrong with it, in the order of the file.
    package private(set) var issues: [DocumentError.Issue] = []
    package private(set) var places: [ScannerPlace] = []

    /// Throws `DocumentError` for a file that cannot be read, or with everything that is wrong in it.
    package static func read(_ path: String) throws(DocumentError) -> [ScannerPlace] {
        let text = try DocumentFile.text(of: path) ?? ""
        let file = PlacesFile(text)
        guard file.issues.isEmpty else { throw DocumentError(file: path, issues: file.issues) }
        return file.places
    }

    package init(_ text: String) {
        var reader = YAMLReader()
        guard let root = reader.document(text) else {
            issues = reader.issues.isEmpty ? [.init("has no scanners: a list of scanner, room, floor, x and y is needed")] : reader.issues
            return
        }
        var names: Set<String> = []
        for node in reader.sequence(root, "the list of scanners", atMost: RoomMap.mostScanners) {
            guard let place = Self.place(node, &reader) else { continue }
            if names.insert(place.scanner).inserted {
                places.append(place)
            } else {
                reader.complain(node, "\(place.scanner) has a place already: each scanner has one")
            }
        }
        issues = reader.issues
    }

    private static func place(_ node: Node, _ reader: inout YAMLReader) -> ScannerPlace? {
        let known = ["scanner", "room", "floor", "x", "y"]
        guard let values = reader.mapping(node, "a scanner's place", known: known) else { return nil }
        let scanner = name(values["scanner"], "scanner", of: node, &reader)
        let room = name(values["room"], "room", of: node, &reader)
        let floor = reader.integer(values["floor"], "floor", -99...999) ?? 0
        let x = coordinate(values["x"], "x", &reader)
        let y = coordinate(values["y"], "y", &reader)
        if (x == nil) != (y == nil) { reader.complain(node, "a position is both x and y, in metres") }
        guard let scanner, let room else { return nil }
        let position = x.flatMap { x in y.map { Position(x: x, y: $0) } }
        return ScannerPlace(scanner: scanner, room: room, floor: Int(floor), position: position)
    }

    private static func name(_ value: Node?, _ key: String, of node: Node, _ reader: inout YAMLReader) -> String? {
        guard let text = reader.text(value, key) else {
            if value == nil { reader.complain(node, "\(key) is missing") }
            return nil
        }
        guard !text.isEmpty, text.utf8.count <= 800 else {
            reader.complain(value ?? node, "\(key) is 1 to 200 characters long")
            return nil
        }
        return text
    }

    /// Metres; nil also for `null`, which JSON has for nothing.
    private static func coordinate(_ value: Node?, _ key: String, _ reader: inout YAMLReader) -> Double? {
        guard let value, value.scalar?.string != "null" else { return nil }
        return reader.number(value, key, -10_000...10_000)
    }
}
