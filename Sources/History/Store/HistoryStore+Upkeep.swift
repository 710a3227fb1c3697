package import Beacon
import GRDB
import Settings
import Synchronization

extension HistoryStore {
    /// How many rows one transaction removes or marks at most, so that none takes long and the log stays small.
    private static let portion = 5000
    /// How many beacons one transaction removes at most, each with all its records.
    private static let beaconPortion = 500
    /// How long intervals are kept although their hours are rolled up, in seconds.
    private static let finest: Int64 = 3 * 3600

    /// Does all upkeep that is due.
    package func tidy(olderThan cutoff: Timestamp?, laterThan horizon: Timestamp?) throws(HistoryError) {
        while try tidyPortion(olderThan: cutoff, laterThan: horizon) {}
    }

    /// Removes records that are too old or too many, and rolls up hours and days: one portion in a short transaction.
    ///
    /// - Parameters:
    ///   - cutoff: older records are removed; nil if none is too old.
    ///   - horizon: later records are removed: the clock was wrong when they were written. Nil if none is too late.
    /// - Returns: whether there was work, so that there may be more.
    package func tidyPortion(olderThan cutoff: Timestamp?, laterThan horizon: Timestamp?) throws(HistoryError) -> Bool {
        do {
            try checkForEnd()
            let hasWorked = try queue.write { db in
                if try markPortion(db) { return true }
                if try dropPassing(db) { return true }
                if try shrink(db) { return true }
                if let cutoff, try remove(before: cutoff.wholeSeconds, db) { return true }
                if let horizon, try removeLate(horizon.wholeSeconds, db) { return true }
                if try rollUpNext(db) { return true }
                return try forgetBeacons(db)
            }
            return try hasWorked || vacuum()
        } catch {
            beacons.withLock { $0.forget() }
            throw HistoryError(error, file: settings.file)
        }
    }

    /// Removes the least valuable records until there is room for an interval.
    package func makeRoom() throws(HistoryError) {
        do {
            while !hasEnded, try queue.write({ try markPortion($0) || shrink($0) }) {}
        } catch {
            beacons.withLock { $0.forget() }
            throw HistoryError(error, file: settings.file)
        }
    }

    /// The size of the used part of the database, in bytes.
    package var usedBytes: Int64 {
        get throws { try queue.read(Self.usedBytes) }
    }

    private static func usedBytes(_ db: Database) throws -> Int64 {
        func number(_ pragma: String) throws -> Int64 { try Int64.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
        return try (number("page_count") - number("freelist_count")) * number("page_size")
    }

    // MARK: - Beacons that are not kept

    /// Marks the intervals of passing beacons that an older version has written.
    private func markPortion(_ db: Database) throws -> Bool {
        guard let end = try progress(.unmarkedUntil, db) else { return false }
        let from = try (progress(.markedStart, db) ?? .min, progress(.markedBeacon, db) ?? .min)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT interval.start, interval.beacon, beacon.standing FROM interval LEFT JOIN beacon \
                ON beacon.id = interval.beacon WHERE (interval.start, interval.beacon) > (?, ?) \
                ORDER BY interval.start, interval.beacon LIMIT ?
                """, arguments: [from.0, from.1, Self.portion])
        for row in rows where row.integer(2) != Int64(BeaconRows.Standing.kept.rawValue) {
            try db.cachedStatement(sql: "UPDATE interval SET passing = 1 WHERE start = ? AND beacon = ?")
                .execute(arguments: [row.integer(0), row.integer(1)])
        }
        let last = rows.last
        let isOver = rows.count < Self.portion || last?.integer(0) ?? .max > end
        try setProgress(.unmarkedUntil, isOver ? nil : end, db)
        try setProgress(.markedStart, isOver ? nil : last?.integer(0), db)
        try setProgress(.markedBeacon, isOver ? nil : last?.integer(1), db)
        return true
    }

    /// Limits the number of passing beacons: the oldest are removed.
    private func dropPassing(_ db: Database) throws -> Bool {
        for standing in [BeaconRows.Standing.passing, .passingInRegion] {
            let count = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT count(*) FROM beacon WHERE standing = ?"),
                arguments: [standing.rawValue])
            let surplus = (count ?? 0) - settings.mostPassing
            if surplus > 0, try dropOldest(standing, atMost: min(surplus, Self.beaconPortion), db) { return true }
        }
        return false
    }

    private func dropOldest(_ standing: BeaconRows.Standing, atMost limit: Int, _ db: Database) throws -> Bool {
        let ids = try Int64.fetchAll(
            db, sql: "SELECT id FROM beacon WHERE standing = ? ORDER BY last_start LIMIT ?",
            arguments: [standing.rawValue, limit])
        for id in ids {
            try checkForEnd()
            try db.cachedStatement(sql: "DELETE FROM interval WHERE passing = 1 AND beacon = ?").execute(arguments: [id]
            )
            try db.cachedStatement(sql: "DELETE FROM span WHERE beacon = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "DELETE FROM sync WHERE beacon = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "DELETE FROM problem WHERE beacon = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "DELETE FROM beacon WHERE id = ?").execute(arguments: [id])
        }
        if !ids.isEmpty { beacons.withLock { $0.forget() } }
        return !ids.isEmpty
    }

    /// Removes beacons that have no records left.
    private func forgetBeacons(_ db: Database) throws -> Bool {
        let ids = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM beacon WHERE standing IN (0, 1, 2) AND last_start < ? \
                AND NOT EXISTS (SELECT 1 FROM span WHERE span.beacon = beacon.id) \
                AND NOT EXISTS (SELECT 1 FROM sync WHERE sync.beacon = beacon.id) \
                AND NOT EXISTS (SELECT 1 FROM problem WHERE problem.beacon = beacon.id) LIMIT ?
                """, arguments: [try oldestStart(db).map(Rollup.day.floor) ?? .max, Self.beaconPortion])
        for id in ids { try db.cachedStatement(sql: "DELETE FROM beacon WHERE id = ?").execute(arguments: [id]) }
        if !ids.isEmpty { beacons.withLock { $0.forget() } }
        return !ids.isEmpty
    }

    // MARK: - Size limit

    /// Makes room when the file is full: first removes passing beacons, then intervals that are rolled up, then the
    /// oldest records.
    private func shrink(_ db: Database) throws -> Bool {
        let isShrinking = isShrinking.load(ordering: .relaxed)
        let most = isShrinking ? settings.usableBytes * 95 / 100 : settings.usableBytes
        let isTooLarge = try Self.usedBytes(db) > most
        if isTooLarge != isShrinking { self.isShrinking.store(isTooLarge, ordering: .relaxed) }
        guard isTooLarge else { return false }
        if try dropOldest(.passing, atMost: Self.beaconPortion, db) { return true }
        if try dropOldest(.passingInRegion, atMost: Self.beaconPortion, db) { return true }
        if try rollUpNext(db) { return true }
        if try dropIntervals(db) { return true }
        guard let oldest = try oldestStart(db) else { return false }
        return try remove(before: Rollup.day.end(of: Rollup.day.floor(oldest)), db)
    }

    private func dropIntervals(_ db: Database) throws -> Bool {
        guard let newest = try Int64.fetchOne(db, sql: "SELECT max(start) FROM interval"),
            let hours = try progress(.hours, db)
        else { return false }
        let end = min(hours, newest.addingClamped(-Self.finest))
        // Removes whole intervals: none is left before `minutes`.
        let next = try Int64.fetchOne(
            db, sql: "SELECT start FROM interval WHERE start < ? ORDER BY start LIMIT 1 OFFSET ?",
            arguments: [end, Self.portion])
        let oldest = try Int64.fetchOne(db, sql: "SELECT min(start) FROM interval") ?? end
        let limit = min(end, max(next ?? end, oldest.addingClamped(1)))
        try db.execute(sql: "DELETE FROM interval WHERE start < ?", arguments: [limit])
        guard db.changesCount > 0 else { return false }
        try setProgress(.minutes, max(limit, progress(.minutes, db) ?? .min), db)
        return true
    }

    private func oldestStart(_ db: Database) throws -> Int64? {
        try ["interval", "hour", "day"].compactMap {
            try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(start) FROM \($0)"))
        }.min()
    }

    // MARK: - Records that are too old or too new

    private func remove(before time: Int64, _ db: Database) throws -> Bool {
        let microseconds = Timestamp(wholeSeconds: time).microseconds
        var changes = 0
        func remove(_ table: String, _ keys: String, _ column: String, before limit: Int64) throws {
            changes += try removePortion(table, keys, column, "< ?", limit, db)
        }
        try remove("interval", "start, beacon", "start", before: time)
        // A row is removed when its whole time is too old.
        try remove("hour", "start, beacon", "start", before: time.addingClamped(1 - Rollup.hour.seconds))
        try remove("day", "start, beacon", "start", before: time.addingClamped(1 - Rollup.day.seconds))
        try remove("span", "run, number", "last", before: microseconds)
        try remove("sync", "id", "time", before: microseconds)
        try remove("dropped", "start", "start", before: time)
        try remove("problem", "beacon, kind, first", "last", before: time)
        return changes > 0
    }

    private func removeLate(_ time: Int64, _ db: Database) throws -> Bool {
        // Whole days, so that roll-ups stay consistent with their intervals.
        let end = Rollup.day.ceiling(time)
        let microseconds = Timestamp(wholeSeconds: end).microseconds
        var changes = 0
        func remove(_ table: String, _ keys: String, _ column: String, from limit: Int64) throws {
            changes += try removePortion(table, keys, column, ">= ?", limit, db)
        }
        for table in ["interval", "hour", "day"] { try remove(table, "start, beacon", "start", from: end) }
        try remove("span", "run, number", "last", from: microseconds)
        try remove("sync", "id", "time", from: microseconds)
        try remove("dropped", "start", "start", from: end)
        try remove("problem", "beacon, kind, first", "last", from: end)
        return changes > 0
    }

    /// - Parameters:
    ///   - keys: the table's primary key.
    ///   - condition: which values of the column go, with a `?` for the limit.
    /// - Returns: how many rows were removed.
    private func removePortion(
        _ table: String, _ keys: String, _ column: String, _ condition: String, _ limit: Int64, _ db: Database
    ) throws -> Int {
        try db.cachedStatement(
            sql: """
                DELETE FROM \(table) WHERE (\(keys)) IN \
                (SELECT \(keys) FROM \(table) WHERE \(column) \(condition) ORDER BY \(column) LIMIT \(Self.portion))
                """
        ).execute(arguments: [limit])
        return db.changesCount
    }

    // MARK: - Free pages

    /// Returns some free pages to the file system, if there are many.
    private func vacuum() throws -> Bool {
        try queue.writeWithoutTransaction { db in
            func number(_ pragma: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
            let free = try number("freelist_count")
            guard try free > max(256, number("page_count") / 16) else { return false }
            try db.execute(sql: "PRAGMA incremental_vacuum(256)")
            return try number("freelist_count") < free
        }
    }
}
