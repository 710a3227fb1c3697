import Beacon
import GRDB
import Reports

extension HistoryStore {
    /// Adds a late interval to its hour and its day, if these are already rolled up.
    func rollUp(_ interval: BeaconInterval, of beacon: Int64, _ db: Database) throws {
        for level in Rollup.allCases {
            guard let end = try progress(level.progress, db), interval.start.wholeSeconds < end else { continue }
            var rolled = Self.rolled(interval, to: level)
            let start = rolled.start.wholeSeconds
            let known = try Row.fetchOne(
                db.cachedStatement(sql: "\(Self.select(level.table)) WHERE start = ? AND beacon = ?"),
                arguments: [start, beacon])
            if var merged = known.flatMap({ Self.interval($0, { _ in interval.id }) }) {
                merged.merge(rolled)
                rolled = merged
            }
            try insert(rolled, start, beacon, db, "REPLACE", into: level.table)
        }
    }

    private static func rolled(_ interval: BeaconInterval, to level: Rollup) -> BeaconInterval {
        var rolled = interval
        rolled.start = Timestamp(wholeSeconds: level.floor(interval.start.wholeSeconds))
        rolled.seconds = Int(level.seconds)
        return rolled
    }

    /// Rolls up the next hour or the next day, if one is complete.
    ///
    /// - Returns: whether there was one.
    func rollUpNext(_ db: Database) throws -> Bool {
        let newest = try Int64.fetchOne(db, sql: "SELECT max(start) FROM interval")
        let hours = try progress(.hours, db)
        if let newest, let next = try first("interval", after: hours, and: "AND passing = 0", db) {
            let begin = Rollup.hour.floor(next)
            let end = Rollup.hour.end(of: begin)
            // The last second of all, which damage can leave, is in no hour.
            if next < end, end <= newest {
                try rollUp(from: "interval", to: .hour, begin, and: "AND passing = 0", db)
                return true
            }
        }
        guard let hours, let next = try first("hour", after: progress(.days, db), and: "", db) else { return false }
        let begin = Rollup.day.floor(next)
        let end = Rollup.day.end(of: begin)
        guard next < end, end <= hours else { return false }
        try rollUp(from: "hour", to: .day, begin, and: "", db)
        return true
    }

    private func first(_ table: String, after time: Int64?, and condition: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT start FROM \(table) WHERE start >= ? \(condition) ORDER BY start LIMIT 1"),
            arguments: [time ?? .min])
    }

    private func rollUp(
        from table: String, to level: Rollup, _ begin: Int64, and condition: String, _ db: Database
    ) throws {
        var merged: [Int64: BeaconInterval] = [:]
        let rows = try Row.fetchCursor(
            db, sql: "\(Self.select(table)) WHERE start >= ? AND start < ? \(condition) ORDER BY start",
            arguments: [begin, level.end(of: begin)])
        while let row = try rows.next() {
            try checkForEnd()
            guard let beacon = row.integer(0), let interval = Self.interval(row, { _ in Self.anyone }) else { continue }
            let rolled = Self.rolled(interval, to: level)
            if merged[beacon]?.merge(rolled) == nil { merged[beacon] = rolled }
        }
        for (beacon, interval) in merged.sorted(by: { $0.key < $1.key }) {
            try insert(interval, begin, beacon, db, "REPLACE", into: level.table)
        }
        try setProgress(level.progress, level.end(of: begin), db)
    }

    // MARK: - Progress

    func progress(_ which: HistoryProgress, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM progress WHERE name = ?"), arguments: [which.rawValue])
    }

    func setProgress(_ which: HistoryProgress, _ value: Int64?, _ db: Database) throws {
        if let value {
            try db.cachedStatement(sql: "REPLACE INTO progress (name, value) VALUES (?, ?)")
                .execute(arguments: [which.rawValue, value])
        } else {
            try db.execute(sql: "DELETE FROM progress WHERE name = ?", arguments: [which.rawValue])
        }
    }
}
