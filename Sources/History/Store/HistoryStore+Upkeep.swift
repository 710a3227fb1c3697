public import Beacon
import GRDB
import Synchronization

extension HistoryStore {
    /// What is kept free for the log beside the database.
    private static let reserve: Int64 = 4 << 20
    /// Removed at once, in seconds of history: so that no transaction becomes large.
    private static let portion: Int64 = 6 * 3600

    /// Removes what is too old, and the oldest where it is too much. Call it after each interval.
    ///
    /// - Parameters:
    ///   - cutoff: what is older goes; nil where nothing is too old.
    ///   - horizon: what is later goes: the clock was wrong when it was written.
    public func tidy(olderThan cutoff: Timestamp?, laterThan horizon: Timestamp) throws(HistoryError) {
        do {
            if let cutoff { try removeOldest(until: cutoff.wholeSeconds) }
            try queue.write { db in
                let late = horizon.microseconds
                try db.execute(
                    sql: "DELETE FROM interval WHERE start > ?", arguments: [horizon.wholeSeconds])
                try db.execute(sql: "DELETE FROM span WHERE last > ?", arguments: [late])
                try db.execute(sql: "DELETE FROM sync WHERE time > ?", arguments: [late])
            }
            let most = settings.maximumBytes - Self.reserve
            while try usedBytes > most, let oldest = try edge("min") {
                let (newest, part) = try (edge("max") ?? oldest, usedBytes)
                // As much as is too much, evenly spread over time, and a little more.
                let share = Double(part - most * 95 / 100) / Double(part)
                let seconds = Int64((Double(newest - oldest) * share).rounded(.up)) + Int64(settings.interval)
                try removeOldest(until: oldest + min(seconds, Self.portion))
            }
            try queue.writeWithoutTransaction { db in
                let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                if free > 256 { try db.execute(sql: "PRAGMA incremental_vacuum(2048)") }
            }
        } catch {
            throw HistoryError(error, file: settings.file)
        }
    }

    /// Octets of the database that are in use.
    public var usedBytes: Int64 {
        get throws {
            try queue.read { db in
                func number(_ pragma: String) throws -> Int64 { try Int64.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
                return try (number("page_count") - number("freelist_count")) * number("page_size")
            }
        }
    }

    private func edge(_ which: String) throws -> Int64? {
        try queue.read { try Int64.fetchOne($0, sql: "SELECT \(which)(start) FROM interval") }
    }

    /// At most one portion a call.
    private func removeOldest(until cutoff: Int64) throws {
        try queue.write { db in
            let oldest = try Int64.fetchOne(db, sql: "SELECT min(start) FROM interval")
            let limit = min(cutoff, oldest.map { $0 + Self.portion } ?? cutoff)
            try db.execute(sql: "DELETE FROM interval WHERE start < ?", arguments: [limit])
            guard db.changesCount > 0 || oldest == nil else { return }
            let microseconds = Timestamp(wholeSeconds: limit).microseconds
            try db.execute(sql: "DELETE FROM span WHERE last < ?", arguments: [microseconds])
            try db.execute(sql: "DELETE FROM sync WHERE time < ?", arguments: [microseconds])
            // A span that began before may name a beacon for as long as it lasts.
            try db.execute(
                sql: """
                    DELETE FROM beacon WHERE last_start < ? AND NOT EXISTS (SELECT 1 FROM span WHERE beacon = beacon.id) \
                    AND NOT EXISTS (SELECT 1 FROM sync WHERE beacon = beacon.id)
                    """, arguments: [limit])
        }
        beaconIDs.withLock { $0.removeAll() }
    }
}
