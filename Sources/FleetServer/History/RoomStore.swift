package import Beacon
import GRDB
package import History
package import Reports
import Synchronization

/// The database of stays. Every method blocks its thread while the disk works.
package final class RoomStore: HistoryFile, Sendable {
    /// Bytes, of about four million stays. Above this the oldest is removed, whatever it is.
    package static let mostBytes = 256 << 20
    /// Rows that are removed at a time.
    private static let portion = 5000

    package let file: String
    /// Where a damaged database was moved when this one was opened; nil if there was none.
    package let movedAside: String?
    private let mostBytes: Int
    private let queue: DatabaseQueue
    /// The day of the last cutoff up to which names were removed.
    private let namesTidied = Mutex<Int64?>(nil)

    /// Opens the database in a folder, or creates it. One that cannot be opened because it is damaged is moved aside
    /// first.
    ///
    /// - Parameter mostBytes: another size than the usual one.
    package init(folder: String, mostBytes: Int = mostBytes) throws(HistoryError) {
        let file = Self.file(in: folder)
        self.file = file
        self.mostBytes = mostBytes
        do {
            (queue, movedAside) = try HistoryDatabase.mended(file) {
                (
                    try HistoryDatabase.open(
                        file, label: "beacon-fleet.history", program: "beacon-fleet", Self.migrator), $0)
            }
        } catch {
            throw Self.explained(error, file)
        }
    }

    package static func file(in folder: String) -> String { folder + "/rooms.sqlite" }

    static func explained(_ error: any Error, _ file: String) -> HistoryError {
        HistoryError(error, file: file, limitedBy: nil)
    }

    package func close() { try? queue.close() }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE beacon (
                        id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, major INTEGER NOT NULL, minor INTEGER NOT NULL,
                        UNIQUE (uuid, major, minor)
                    );
                    CREATE TABLE room (
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL, floor INTEGER NOT NULL, UNIQUE (name, floor)
                    );
                    -- Times in seconds since 1970.
                    CREATE TABLE stay (
                        first INTEGER NOT NULL, beacon INTEGER NOT NULL, room INTEGER NOT NULL, last INTEGER NOT NULL,
                        PRIMARY KEY (first, beacon)
                    ) WITHOUT ROWID;
                    CREATE INDEX stay_last ON stay (last);
                    -- Hours since 1970; x and y in metres.
                    CREATE TABLE dwell (
                        hour INTEGER NOT NULL, floor INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
                        seconds INTEGER NOT NULL, PRIMARY KEY (hour, floor, x, y)
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("2") { try $0.execute(sql: ProblemTable.creation) }
        return migrator
    }

    // MARK: - Writing

    /// Writes everything or nothing. A stay that is there already becomes longer, or changes its room. A problem that
    /// is there already lasts longer.
    package func write(
        _ stays: [RoomStay], dwell: [DwellMap.Cell: Int64] = [:], problems: [ReportedProblem] = []
    ) throws(HistoryError) {
        guard !stays.isEmpty || !dwell.isEmpty || !problems.isEmpty else { return }
        do {
            try queue.write { db in
                for (cell, seconds) in dwell {
                    try db.cachedStatement(
                        sql: """
                            INSERT INTO dwell (hour, floor, x, y, seconds) VALUES (?,?,?,?,?) \
                            ON CONFLICT (hour, floor, x, y) DO UPDATE SET seconds = seconds + excluded.seconds
                            """
                    ).execute(arguments: [cell.hour, cell.floor, cell.x, cell.y, seconds])
                }
                for problem in problems {
                    if let beacon = try Self.row(of: problem.beacon, db) {
                        try ProblemTable.write(problem, beacon: beacon, db)
                    }
                }
                for stay in stays {
                    let (beacon, room) = (try Self.row(of: stay.beacon, db), try Self.row(of: stay.room, db))
                    try db.cachedStatement(
                        sql: """
                            INSERT INTO stay (first, beacon, room, last) VALUES (?,?,?,?) \
                            ON CONFLICT (first, beacon) DO UPDATE SET room = excluded.room, last = excluded.last
                            """
                    ).execute(arguments: [
                        Self.seconds(stay.span.lowerBound), beacon, room, Self.seconds(stay.span.upperBound),
                    ])
                }
            }
        } catch {
            throw Self.explained(error, file)
        }
    }

    private static func seconds(_ time: Timestamp) -> Int64 { Int64(time.seconds.rounded(.down)) }

    private static func row(of beacon: BeaconID, _ db: Database) throws -> Int64? {
        let arguments: StatementArguments = ["\(beacon.uuid)", beacon.major, beacon.minor]
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO beacon (uuid, major, minor) VALUES (?,?,?)")
            .execute(arguments: arguments)
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM beacon WHERE uuid = ? AND major = ? AND minor = ?"),
            arguments: arguments)
    }

    private static func row(of room: ReportedRoom, _ db: Database) throws -> Int64? {
        let arguments: StatementArguments = [room.name, room.floor]
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO room (name, floor) VALUES (?,?)").execute(
            arguments: arguments)
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM room WHERE name = ? AND floor = ?"), arguments: arguments)
    }

    // MARK: - Limits

    /// The end of the newest stay.
    package func newest() throws(HistoryError) -> Timestamp? {
        do {
            return try queue.read { db in try Int64.fetchOne(db, sql: "SELECT max(last) FROM stay") }
                .map { Timestamp(seconds: Double($0)) }
        } catch {
            throw Self.explained(error, file)
        }
    }

    /// The newest second of a stay that is not after a time; nil if there is none.
    package func newest(upTo limit: Timestamp) throws(HistoryError) -> Timestamp? {
        let second = Self.seconds(limit)
        do {
            return try queue.read { db -> Int64? in
                if try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM stay WHERE last >= ?1 AND first <= ?1)",
                    arguments: [second]) ?? false
                {
                    return second
                }
                return try Int64.fetchOne(db, sql: "SELECT max(last) FROM stay WHERE last < ?", arguments: [second])
            }
            .map { Timestamp(seconds: Double($0)) }
        } catch {
            throw Self.explained(error, file)
        }
    }

    /// Removes a portion of what is too old or too much.
    ///
    /// - Parameter cutoff: stays that ended before are too old; nil if none is.
    /// - Returns: whether something was removed, so that there may be more.
    package func tidyPortion(before cutoff: Timestamp?) throws(HistoryError) -> Bool {
        do {
            let isTidier = try queue.write { db in
                if let cutoff, try Self.remove("WHERE last < \(Self.seconds(cutoff))", db) { return true }
                if let cutoff, try Self.removeDwell("WHERE hour < \(Self.seconds(cutoff) / 3600)", db) { return true }
                if let cutoff, try Self.removeProblems(before: Self.seconds(cutoff), db) { return true }
                if try Self.usedBytes(db) > self.mostBytes, try Self.removeOldest(db) { return true }
                if let cutoff { try self.removeNames(onDayOf: cutoff, db) }
                return false
            }
            if isTidier { try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA incremental_vacuum(256)") } }
            return isTidier
        } catch {
            throw Self.explained(error, file)
        }
    }

    /// Removes a portion of what is oldest. Problems come last: they are few, and tell most.
    private static func removeOldest(_ db: Database) throws -> Bool {
        let stay = try Int64.fetchOne(db, sql: "SELECT min(last) FROM stay")
        let hour = try Int64.fetchOne(db, sql: "SELECT min(hour) FROM dwell")
        return switch (stay, hour) {
        case (let stay?, let hour?) where stay / 3600 < hour: try remove("", db)
        case (_, _?): try removeDwell("", db)
        case (_?, nil): try remove("", db)
        case (nil, nil): try removeProblems(before: .max, db)
        }
    }

    private static func remove(_ condition: String, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                DELETE FROM stay WHERE (first, beacon) IN \
                (SELECT first, beacon FROM stay \(condition) ORDER BY last LIMIT \(portion))
                """)
        return db.changesCount > 0
    }

    /// Removes the names that no stay has any more. Once a day, because looking for them reads all stays.
    private func removeNames(onDayOf cutoff: Timestamp, _ db: Database) throws {
        let day = Self.seconds(cutoff).floorDivided(by: 86_400)
        guard namesTidied.withLock({ $0 }) != day else { return }
        try db.execute(
            sql: """
                DELETE FROM beacon
                    WHERE id NOT IN (SELECT beacon FROM stay) AND id NOT IN (SELECT beacon FROM problem);
                DELETE FROM room WHERE id NOT IN (SELECT room FROM stay);
                """)
        namesTidied.withLock { $0 = day }
    }

    private static func removeProblems(before time: Int64, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                DELETE FROM problem WHERE (beacon, kind, first) IN \
                (SELECT beacon, kind, first FROM problem WHERE last < ? ORDER BY last LIMIT \(portion))
                """, arguments: [time])
        return db.changesCount > 0
    }

    private static func removeDwell(_ condition: String, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                DELETE FROM dwell WHERE (hour, floor, x, y) IN \
                (SELECT hour, floor, x, y FROM dwell \(condition) ORDER BY hour LIMIT \(portion))
                """)
        return db.changesCount > 0
    }

    private static func usedBytes(_ db: Database) throws -> Int {
        func number(_ pragma: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
        return try (number("page_count") - number("freelist_count")) * number("page_size")
    }
}
