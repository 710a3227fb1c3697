import Beacon
package import Curation
import GRDB

extension CurationStore {
    /// Removes what has expired: sessions, links, the bin, old history, devices and statistics; and of revisions what
    /// is too much. It is called every hour.
    ///
    /// - Parameter now: nil while the clock is doubted. Then nothing is too old.
    package func tidy(at now: Moment?) async throws(StoreError) {
        if let now {
            try await removeOld(at: now)
            try await write { db in try Self.noteTidying(at: now, db) }
        }
        try await write { db in
            // By count, because numbers jump if devices had a later revision than this server.
            let oldest = try Int64.fetchOne(
                db, sql: "SELECT number FROM revision ORDER BY number DESC LIMIT 1 OFFSET ?",
                arguments: [max(0, self.limits.revisions - 1)])
            guard let oldest else { return }
            try Self.tidyRevisions(before: oldest, db)
        }
    }

    /// When something last changed or a device last reported, up to a time; nil if there is nothing.
    package func newestRecord(upTo limit: Moment) async throws(StoreError) -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT max(at) FROM (SELECT max(at) AS at FROM change WHERE at <= ?1 \
                    UNION ALL SELECT max(at) FROM report WHERE at <= ?1 \
                    UNION ALL SELECT max(report_at) FROM device WHERE report_at <= ?1)
                    """, arguments: [limit.microseconds]
            ).map(Moment.init(microseconds:))
        }
    }

    /// When what was too old was last removed, to the hour; nil if never. It goes back where the clock does.
    package func lastTidying() async throws(StoreError) -> Moment? {
        try await read { db in
            let hours = try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            return hours > 0 ? Moment(microseconds: hours * Self.microsecondsOfHour) : nil
        }
    }

    private static let microsecondsOfHour: Int64 = 3_600_000_000

    /// The number in the file's head that SQLite leaves to programs has 32 bits: the hours since 1970.
    private static func noteTidying(at now: Moment, _ db: Database) throws {
        let hours = Int32(clamping: now.microseconds.floorDivided(by: microsecondsOfHour))
        try db.execute(sql: "PRAGMA user_version = \(max(0, hours))")
    }

    private func removeOld(at now: Moment) async throws(StoreError) {
        try await write { db in
            try self.endOldSessions(now, db)
            try db.execute(sql: "DELETE FROM link WHERE expires_at <= ?", arguments: [now.microseconds])
        }
        try await emptyBin(deletedBefore: daysAgo(limits.binDays, now), by: .schedule, at: now)
        try await write { db in
            try Self.tidyHistory(before: self.daysAgo(self.limits.changeDays, now), db)
        }
        try await write { db in
            try db.execute(
                sql: "DELETE FROM device WHERE report_at < ?",
                arguments: [self.daysAgo(self.limits.deviceDays, now).microseconds])
            // Devices keep a report for at most a day.
            try db.execute(
                sql: "DELETE FROM report WHERE at < ?", arguments: [self.daysAgo(2, now).microseconds])
            try db.execute(
                sql: "DELETE FROM dwell WHERE day < ?",
                arguments: [now.microseconds / 86_400_000_000 - Int64(self.limits.dwellDays)])
        }
    }

    private func daysAgo(_ days: Int, _ now: Moment) -> Moment { now.advanced(bySeconds: -Double(days) * 86_400) }

    /// Removes old changes, and the bodies that only they refer to. Current bodies are kept.
    private static func tidyHistory(before time: Moment, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM change WHERE at < ?", arguments: [time.microseconds])
        guard db.changesCount > 0 else { return }
        try db.execute(
            sql: """
                DELETE FROM version WHERE at < ?1 AND EXISTS (SELECT 1 FROM document d WHERE d.number = document \
                AND d.version > version.version AND NOT EXISTS (SELECT 1 FROM change_item i \
                WHERE i.document = d.id AND (i.before = version.version OR i.after = version.version)))
                """, arguments: [time.microseconds])
    }

    private static func tidyRevisions(before number: Int64, _ db: Database) throws {
        guard number > 0 else { return }
        try db.execute(
            sql: "UPDATE revision SET list = NULL, signature = NULL WHERE number < ? AND list IS NOT NULL",
            arguments: [number])
        guard db.changesCount > 0 else { return }
        for table in ["member", "file", "asset"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE last IS NOT NULL AND last <= ?", arguments: [number])
        }
        try db.execute(
            sql: """
                DELETE FROM file_body WHERE NOT EXISTS (SELECT 1 FROM file f WHERE f.hash = file_body.hash);
                DELETE FROM published_body WHERE NOT EXISTS (SELECT 1 FROM member m \
                WHERE m.document = published_body.document AND m.version = published_body.version);
                """)
    }
}
