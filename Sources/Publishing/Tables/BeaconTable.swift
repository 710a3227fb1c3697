import Beacon
package import Curation

/// The beacons as a table, one per line. A line belongs to the beacon with its `id`, or else with its UUID, major and
/// minor.
package enum BeaconTable {
    static let fixed = ["id", "uuid", "major", "minor"]
    static let rest = ["floor", "latitude", "longitude", "note"]

    package static func table(_ documents: [DocumentID: Document], languages: [Language]) -> CSVTable {
        var table = CSVTable(columns: fixed + languages.map { "name.\($0)" } + rest)
        let beacons = documents.compactMap { id, document in document.beacon.map { (id: id, beacon: $0) } }
        for (id, beacon) in beacons.sorted(by: { key($0.beacon, $0.id) < key($1.beacon, $1.id) }) {
            let identity: [String] = [
                id.text, beacon.uuid.map { "\($0)" } ?? "", beacon.major.map { "\($0)" } ?? "",
                beacon.minor.map { "\($0)" } ?? "",
            ]
            let place: [String] = [
                beacon.floor, beacon.coordinates.map { "\($0.latitude)" } ?? "",
                beacon.coordinates.map { "\($0.longitude)" } ?? "", beacon.note,
            ]
            let names: [String] = languages.map { beacon.name[$0] ?? "" }
            table.rows.append(.init(fields: identity + names + place))
        }
        return table
    }

    private static func key(_ beacon: BeaconDocument, _ id: DocumentID) -> (Int, Int, DocumentID) {
        (beacon.major.map(Int.init) ?? -1, beacon.minor.map(Int.init) ?? -1, id)
    }

    /// The changes that an import would make. A missing column leaves its values as they are; an empty field removes
    /// the value. Beacons that are not in the table are kept.
    ///
    /// - Parameters:
    ///   - documents: all stored documents.
    ///   - newID: gives the ids of new beacons.
    package static func plan(
        _ table: CSVTable, documents: [DocumentID: Document], newID: () -> DocumentID = { .random() }
    ) -> TablePlan {
        var plan = TablePlan()
        let site = documents[.site]?.site ?? SiteDocument()
        let known = Set(fixed + rest)
        let offered = (fixed + site.languages.map { "name.\($0)" } + rest).joined(separator: ", ")
        for column in table.columns where !known.contains(column) && language(column) == nil {
            plan.mistakes.append(.init(1, column, Problem(.unknownColumn, offered)))
        }
        let beacons = documents.compactMapValues(\.beacon)
        var owners = Dictionary(
            beacons.compactMap { id, beacon in beacon.id.map { ($0, id) } }, uniquingKeysWith: { first, _ in first })
        var seen: [DocumentID: Int] = [:]
        var lines: [Line] = []
        let check = DocumentCheck(site: site)
        for row in table.rows {
            var mistakes: [TablePlan.Mistake] = []
            let found = find(row, table, beacons, owners, &mistakes)
            var beacon = found.flatMap { beacons[$0] } ?? BeaconDocument()
            fill(&beacon, row, table, &mistakes)
            let after = Document.beacon(beacon).tidied
            let id = found ?? newID()
            if let line = seen.updateValue(row.line, forKey: id) {
                mistakes.append(.init(row.line, "id", Problem(.lineRepeated, "\(line)")))
            }
            mistakes += check.mistakes(in: after).map { .init(row.line, $0.field, $0.problem) }
            // A later line without an id may mean the same new beacon.
            if mistakes.isEmpty, let identity = after.beacon?.id, owners[identity] == nil { owners[identity] = id }
            lines.append(Line(number: row.line, id: id, isNew: found == nil, after: after, mistakes: mistakes))
        }
        checkIdentities(&lines, beacons)
        for line in lines {
            plan.mistakes += line.mistakes
            guard line.mistakes.isEmpty else { continue }
            let before = line.isNew ? nil : documents[line.id]
            if before == line.after {
                plan.unchanged += 1
            } else {
                plan.changes.append(.init(line: line.number, id: line.id, before: before, after: line.after))
            }
        }
        return plan
    }

    /// A line and the beacon that it describes.
    private struct Line {
        var number: Int
        var id: DocumentID
        var isNew: Bool
        var after: Document
        var mistakes: [TablePlan.Mistake]
    }

    /// After the import, no two beacons may have one identity. What the lines change is free, so that beacons can
    /// exchange their identities.
    private static func checkIdentities(_ lines: inout [Line], _ beacons: [DocumentID: BeaconDocument]) {
        let changed = Set(lines.map(\.id))
        var owners: [BeaconID: DocumentID] = [:]
        for (id, beacon) in beacons where !changed.contains(id) {
            if let identity = beacon.id { owners[identity] = id }
        }
        for index in lines.indices {
            guard let identity = lines[index].after.beacon?.id else { continue }
            let owner = owners[identity] ?? lines[index].id
            owners[identity] = owner
            guard owner != lines[index].id else { continue }
            lines[index].mistakes.append(.init(lines[index].number, "uuid", Problem(.identityElsewhere)))
        }
    }

    private static func find(
        _ row: CSVTable.Row, _ table: CSVTable, _ beacons: [DocumentID: BeaconDocument],
        _ owners: [BeaconID: DocumentID], _ mistakes: inout [TablePlan.Mistake]
    ) -> DocumentID? {
        let name = table.field(row, "id")
        if !name.isEmpty {
            guard let id = DocumentID(name), beacons[id] != nil else {
                mistakes.append(.init(row.line, "id", Problem(.noSuchBeacon)))
                return nil
            }
            return id
        }
        guard let uuid = ProximityUUID(table.field(row, "uuid")), let major = UInt16(table.field(row, "major")),
            let minor = UInt16(table.field(row, "minor"))
        else { return nil }
        return owners[BeaconID(uuid: uuid, major: major, minor: minor)]
    }

    private static func fill(
        _ beacon: inout BeaconDocument, _ row: CSVTable.Row, _ table: CSVTable,
        _ mistakes: inout [TablePlan.Mistake]
    ) {
        func value<Value>(_ column: String, _ old: Value?, _ problem: Problem, _ read: (String) -> Value?) -> Value? {
            guard table.columns.contains(column) else { return old }
            let text = table.field(row, column).filter { !$0.isWhitespace }
            guard !text.isEmpty else { return nil }
            let value = read(text)
            if value == nil { mistakes.append(.init(row.line, column, problem)) }
            return value
        }
        beacon.uuid = value("uuid", beacon.uuid, Problem(.notUUID)) { ProximityUUID($0) }
        beacon.major = value("major", beacon.major, Problem(.outOfRange, "0", "65535")) { UInt16($0) }
        beacon.minor = value("minor", beacon.minor, Problem(.outOfRange, "0", "65535")) { UInt16($0) }
        let latitude = value("latitude", beacon.coordinates?.latitude, Problem(.notNumber), number)
        let longitude = value("longitude", beacon.coordinates?.longitude, Problem(.notNumber), number)
        if let latitude, let longitude {
            beacon.coordinates = Coordinates(latitude: latitude, longitude: longitude)
        } else if latitude == nil, longitude == nil {
            beacon.coordinates = nil
        } else {
            mistakes.append(.init(row.line, "latitude", Problem(.halfPlace)))
        }
        if table.columns.contains("floor") { beacon.floor = table.field(row, "floor") }
        if table.columns.contains("note") { beacon.note = table.field(row, "note") }
        for column in table.columns {
            guard let language = language(column) else { continue }
            let text = table.field(row, column)
            beacon.name[language] = text.isEmpty ? nil : text
        }
    }

    /// Also accepts a comma, which spreadsheets use in some languages.
    private static func number(_ text: String) -> Double? {
        Double(text.replacing(",", with: ".")).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func language(_ column: String) -> Language? {
        column.hasPrefix("name.") ? Language(String(column.dropFirst(5))) : nil
    }
}
