import Beacon
package import Rooms
import Text
package import YAMLText

/// A building, from a file that people write, in YAML or JSON: where its scanners stand, and where its rooms are.
///
///     scanners:
///       - {scanner: pi-1, room: Hall 1, floor: 0, x: 3.5, y: 2}
///     rooms:
///       - {room: Hall 1, floor: 0, from: [0, 0], to: [8, 6]}
///       - {room: Hall 2, floor: 0, corners: [[8, 0], [14, 0], [14, 6], [8, 6]]}
///
/// A list alone is the list of scanners. A scanner that is also a beacon has `beacon`, the identity that it sends.
package struct PlacesFile: Sendable {
    /// What is wrong with it, in the order of the file.
    package private(set) var issues: [DocumentError.Issue] = []
    package private(set) var places: [ScannerPlace] = []
    package private(set) var outlines: [RoomOutline] = []

    /// What the file must contain.
    package enum Purpose: Sendable {
        /// The places of scanners, and perhaps the outlines of rooms.
        case scanners
        /// The outlines of rooms.
        case rooms

        fileprivate var need: String {
            switch self {
            case .scanners: "has no scanners: a list of scanner, room, floor, x and y is needed"
            case .rooms: "lists no rooms; write them as rooms: [{room: Hall 1, from: [0, 0], to: [8, 6]}]"
            }
        }
    }

    /// - Throws: `DocumentError` for a file that cannot be read, or with everything that is wrong in it.
    package static func read(_ path: String, for purpose: Purpose = .scanners) throws(DocumentError) -> PlacesFile {
        let text = try DocumentFile.text(of: path) ?? ""
        let file = PlacesFile(text, for: purpose)
        guard file.issues.isEmpty else { throw DocumentError(file: path, issues: file.issues) }
        return file
    }

    package init(_ text: String, for purpose: Purpose = .scanners) {
        var reader = YAMLReader()
        guard let root = reader.document(text) else {
            issues = reader.issues.isEmpty ? [.init(purpose.need)] : reader.issues
            return
        }
        if case .sequence = root {
            switch purpose {
            case .scanners: readScanners(root, &reader)
            case .rooms: readRooms(root, &reader)
            }
        } else if let parts = reader.mapping(root, "a building", known: ["scanners", "rooms"]) {
            if let scanners = parts["scanners"] { readScanners(scanners, &reader) }
            if let rooms = parts["rooms"] { readRooms(rooms, &reader) }
        }
        issues = reader.issues
        if issues.isEmpty, purpose == .rooms, outlines.isEmpty { issues = [.init(purpose.need)] }
    }

    private mutating func readScanners(_ list: Node, _ reader: inout YAMLReader) {
        places = reader.distinct(
            list, "the list of scanners", atMost: RoomMap.mostScanners, by: \.scanner, read: Self.place,
            twice: { "\($0.scanner) already has a place: each scanner has one" })
    }

    private mutating func readRooms(_ list: Node, _ reader: inout YAMLReader) {
        outlines = reader.distinct(
            list, "the list of rooms", atMost: RoomOutline.mostRooms, by: \.room, read: Self.outline,
            twice: { "\($0.room.name) is there already on this floor: each room has one outline" })
    }

    private static func place(_ node: Node, _ reader: inout YAMLReader) -> ScannerPlace? {
        let known = ["scanner", "room", "floor", "x", "y", "beacon"]
        guard let values = reader.mapping(node, "a scanner's place", known: known) else { return nil }
        let scanner = name(values["scanner"], "scanner", of: node, &reader)
        let room = name(values["room"], "room", of: node, &reader)
        let floor = floor(values["floor"], &reader)
        let x = coordinate(values["x"], "x", &reader)
        let y = coordinate(values["y"], "y", &reader)
        if (x == nil) != (y == nil) { reader.complain(node, "a position is both x and y, in metres") }
        guard let scanner, let room else { return nil }
        let position = x.flatMap { x in y.map { Position(x: x, y: $0) } }
        return ScannerPlace(
            scanner: scanner, room: room, floor: floor, position: position,
            beacon: beacon(values["beacon"], &reader))
    }

    /// What the scanner sends (`fleet.beacon`).
    private static func beacon(_ value: Node?, _ reader: inout YAMLReader) -> BeaconID? {
        guard let value, !value.isNull, let text = reader.text(value, "beacon") else { return nil }
        guard let id = BeaconID(text), id.uuid == FleetBeacon.uuid else {
            reader.complain(value, "beacon is '\(excerpt(text))': \(FleetBeacon.uuid)/MAJOR/MINOR is needed")
            return nil
        }
        return id
    }

    private static func name(_ value: Node?, _ key: String, of node: Node, _ reader: inout YAMLReader) -> String? {
        guard let text = reader.text(value, key) else {
            if value == nil { reader.complain(node, "\(key) is missing") }
            return nil
        }
        if let problem = PlaceName.problem(text) {
            reader.complain(value ?? node, "\(key) \(problem)")
            return nil
        }
        return text
    }

    // MARK: - Rooms

    private static func outline(_ node: Node, _ reader: inout YAMLReader) -> RoomOutline? {
        let known = ["room", "floor", "corners", "from", "to"]
        guard let values = reader.mapping(node, "a room", known: known) else { return nil }
        let room = name(values["room"], "room", of: node, &reader)
        let floor = floor(values["floor"], &reader)
        let corners = corners(values, of: node, &reader)
        guard let room, corners.count >= RoomOutline.corners.lowerBound else { return nil }
        let outline = RoomOutline(room: .init(name: room, floor: floor), corners: corners)
        if let problem = outline.problem { reader.complain(node, "\(printable(room)) \(problem)") }
        return outline
    }

    /// All corners, or two opposite corners of a rectangle.
    private static func corners(_ values: [String: Node], of node: Node, _ reader: inout YAMLReader) -> [Position] {
        if let list = values["corners"] {
            if let rest = values["from"] ?? values["to"] {
                reader.complain(rest, "a room has either corners, or from and to")
            }
            let corners = reader.sequence(list, "corners", atMost: RoomOutline.corners.upperBound)
            if corners.count < RoomOutline.corners.lowerBound {
                reader.complain(list, "a room has three corners or more")
            }
            return corners.compactMap { position($0, &reader) }
        }
        guard let from = values["from"], let to = values["to"] else {
            reader.complain(node, "a room needs corners, or from and to: two corners that are opposite")
            return []
        }
        guard let from = position(from, &reader), let to = position(to, &reader) else { return [] }
        return [from, Position(x: to.x, y: from.y), to, Position(x: from.x, y: to.y)]
    }

    private static func position(_ node: Node, _ reader: inout YAMLReader) -> Position? {
        let numbers = reader.sequence(node, "a corner", atMost: 2)
        guard numbers.count == 2 else {
            reader.complain(node, "a corner is [x, y], in metres")
            return nil
        }
        guard let x = coordinate(numbers[0], "x", &reader), let y = coordinate(numbers[1], "y", &reader) else {
            return nil
        }
        return Position(x: x, y: y)
    }

    // MARK: - Values

    /// 0 if it is missing.
    private static func floor(_ value: Node?, _ reader: inout YAMLReader) -> Int {
        guard let value, !value.isNull else { return 0 }
        let floors = RoomMap.Room.floors
        return Int(reader.integer(value, "floor", Int64(floors.lowerBound)...Int64(floors.upperBound)) ?? 0)
    }

    /// Metres; nil also for `null`.
    private static func coordinate(_ value: Node?, _ key: String, _ reader: inout YAMLReader) -> Double? {
        guard let value, !value.isNull else { return nil }
        return reader.number(value, key, -10_000...10_000)
    }
}
