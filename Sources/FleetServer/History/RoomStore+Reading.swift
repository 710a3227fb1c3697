package import Beacon
import GRDB
import Glibc
import History
package import Reports

extension RoomStore {
    /// Stays in a report at most.
    package static let mostStays = 200_000

    /// The report of a time, from the database in a folder; another program may be writing there. Blocks its thread.
    ///
    /// - Parameters:
    ///   - check: throws when nobody waits any more.
    ///   - mostStays: further ones are left out, the earliest first.
    package static func report(
        in folder: String, _ window: ReportWindow, names: KnownBeacons = KnownBeacons(),
        localTime: LocalTime = .current,
        mostStays: Int = mostStays, check: () throws -> Void = {}
    ) throws -> RoomReport {
        try reading(folder) { db in
            let begins = try beginning(db)
            let since = min(window.since ?? begins ?? window.until, window.until)
            let span = since...window.until
            var stays: [RoomStay] = []
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT uuid, major, minor, name, floor, first, last FROM stay \
                    JOIN beacon ON beacon.id = stay.beacon JOIN room ON room.id = stay.room \
                    WHERE last >= ? AND first < ? ORDER BY last DESC LIMIT ?
                    """, arguments: [
                    Int64(since.seconds.rounded(.down)), Int64(window.until.seconds.rounded(.up)), mostStays + 1,
                ])
            while let row = try rows.next() {
                if stays.count % 1000 == 0 { try check() }
                if let stay = stay(row) { stays.append(stay) }
            }
            var report = RoomReport(
                of: Array(stays.prefix(mostStays)), try problems(span, db), span: span, names: names,
                localTime: localTime)
            report.isCut = stays.count > mostStays
            report.historyBegins = begins
            return report
        }
    }

    /// When the first stay or problem began; nil if there is none.
    private static func beginning(_ db: Database) throws -> Timestamp? {
        let tables = try ["stay", "problem"].filter { try db.tableExists($0) }
        return try tables.compactMap { try Int64.fetchOne(db, sql: "SELECT min(first) FROM \($0)") }.min()
            .map { Timestamp(seconds: Double($0)) }
    }

    private static func problems(_ span: ClosedRange<Timestamp>, _ db: Database) throws -> [ReportedProblem] {
        // A database that an older version has written has no such table.
        try db.tableExists("problem") ? ProblemTable.read(span, db) : []
    }

    /// Square metres in an answer at most: those with the longest dwell.
    private static let mostCells = 20_000

    /// Seconds by square metre, of whole hours; the hour of each is 0. Blocks its thread.
    package static func dwell(in folder: String, _ window: ReportWindow) throws -> [DwellMap.Cell: Int64] {
        try reading(folder) { db in
            var cells: [DwellMap.Cell: Int64] = [:]
            let begin = window.since.map { Int64($0.seconds / 3600) } ?? 0
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT floor, x, y, sum(seconds) AS sum FROM dwell WHERE hour BETWEEN ? AND ? \
                    GROUP BY floor, x, y ORDER BY sum DESC LIMIT \(mostCells)
                    """, arguments: [begin, Int64(window.until.seconds / 3600)])
            while let row = try rows.next() {
                func number(_ column: Int) -> Int64? { Int64.fromDatabaseValue(row[column] as DatabaseValue) }
                guard let floor = number(0), let x = number(1), let y = number(2), let seconds = number(3) else {
                    continue
                }
                cells[DwellMap.Cell(hour: 0, floor: Int(floor), x: Int(x), y: Int(y))] = seconds
            }
            return cells
        }
    }

    private static func reading<Value>(_ folder: String, _ read: (Database) throws -> Value) throws -> Value {
        let file = file(in: folder)
        func missing(_ what: String) -> HistoryError {
            HistoryError(.off, at: file, what, remedy: "name the folder that beacon-fleet run --state has")
        }
        func denied(_ reason: String, _ remedy: String) -> HistoryError {
            HistoryError(
                .unusable, "\(file) cannot be read: \(reason)",
                remedy: "run this as the user of beacon-fleet run\(remedy)")
        }
        guard access(file, F_OK) == 0 else {
            // Behind a folder that may not be entered, nobody knows what is there.
            guard errno != EACCES else { throw denied(String(cString: strerror(EACCES)), "") }
            throw missing("no history of rooms is there")
        }
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                // An empty file is a good database; another program's has other tables.
                guard try db.tableExists("stay") else { throw missing("this is no history of rooms") }
                return try read(db)
            }
        } catch let error as DatabaseError where error.isDenial {
            throw denied(
                error.message ?? "\(error.resultCode)", ": SQLite has to write beside the file to read it")
        } catch let error as DatabaseError {
            throw explained(error, file)
        }
    }

    /// Nil for a row that this program has not written.
    private static func stay(_ row: Row) -> RoomStay? {
        func text(_ column: Int) -> String? { String.fromDatabaseValue(row[column] as DatabaseValue) }
        func number(_ column: Int) -> Int64? { Int64.fromDatabaseValue(row[column] as DatabaseValue) }
        guard let uuid = text(0).flatMap({ ProximityUUID($0) }), let major = number(1).flatMap({ UInt16(exactly: $0) }),
            let minor = number(2).flatMap({ UInt16(exactly: $0) }), let name = text(3), let floor = number(4),
            let first = number(5), let last = number(6), first <= last
        else { return nil }
        return RoomStay(
            beacon: BeaconID(uuid: uuid, major: major, minor: minor), room: ReportedRoom(name: name, floor: Int(floor)),
            span: Timestamp(seconds: Double(first))...Timestamp(seconds: Double(last)))
    }
}
