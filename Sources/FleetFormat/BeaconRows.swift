import Beacon
import Text

/// Rows of beacons in a message, by UUID: `{"UUID":[row,…],…}`.
enum BeaconRows {
    /// - Returns: at most the given number of rows, each beacon once, in the order of the beacons.
    static func read<Wire, Row>(
        _ beacons: [String: [Wire]], atMost most: Int, beacon: KeyPath<Row, BeaconID>,
        _ read: (Wire, ProximityUUID) throws(FleetMessageError) -> Row
    ) throws(FleetMessageError) -> [Row] {
        var found: [Row] = []
        var seen: Set<BeaconID> = []
        for (name, rows) in beacons.sorted(by: { $0.key < $1.key }) {
            guard let uuid = ProximityUUID(name) else {
                throw FleetMessageError("names '\(excerpt(name))', which is not a UUID")
            }
            for row in rows.prefix(most - min(most, found.count)) {
                let row = try read(row, uuid)
                if seen.insert(row[keyPath: beacon]).inserted { found.append(row) }
            }
        }
        return found.sorted { $0[keyPath: beacon] < $1[keyPath: beacon] }
    }
}

extension JSONText {
    /// - Parameter rows: in the order of the beacons.
    mutating func beaconRows<Row>(_ rows: [Row], beacon: KeyPath<Row, BeaconID>, text: (Row) -> String) {
        object("beacons") { json in
            var index = rows.startIndex
            while index < rows.endIndex {
                let uuid = rows[index][keyPath: beacon].uuid
                let end = rows[index...].firstIndex { $0[keyPath: beacon].uuid != uuid } ?? rows.endIndex
                json.array(uuid.description) { json in
                    for row in rows[index..<end] { json.raw(nil, text(row)) }
                }
                index = end
            }
        }
    }
}
