import Beacon
package import Curation
import Foundation
import GRDB
import SiteFormat
import Synchronization

extension CurationStore {
    /// Records a device's report. A report that was already recorded changes nothing.
    ///
    /// - Parameters:
    ///   - isLimited: whether the report is refused if there were too many in this minute.
    ///   - ofDevice: whether it is also refused if there were too many of this device.
    /// - Returns: false if the report was already recorded, or is older than all that are remembered of this device.
    /// - Throws: `invalid`, `limit` (too many devices), `tooOften`.
    @discardableResult
    package func noteReport(
        _ report: DeviceReport, at now: Moment, isLimited: Bool = true, ofDevice: Bool = false
    ) async throws(StoreError) -> Bool {
        let report = try report.bounded()
        let isTaken = !isLimited || reportRate.withLock { rate in
            rate.take(
                ofDevice ? report.host : nil, mostOfDevice: limits.reportsPerMinuteOfDevice,
                most: limits.reportsPerMinute, at: now)
        }
        guard isTaken else {
            var error = StoreError(.tooOften, "too many reports", remedy: "send it again in a minute")
            error.retryAfter = 60
            throw error
        }
        return try await write { db in
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO report (host, period_start, at) VALUES (?, ?, ?)")
                .execute(arguments: [report.host, report.periodStart.microseconds, now.microseconds])
            guard db.changesCount == 1 else { return false }
            try self.forgetReports(of: report.host, db)
            // One that is forgotten at once would be counted each time it comes.
            let isRemembered = try db.cachedStatement(sql: "SELECT 1 FROM report WHERE host = ? AND period_start = ?")
            guard
                try Int.fetchOne(isRemembered, arguments: [report.host, report.periodStart.microseconds]) != nil
            else { return false }
            try self.putDevice(report, now, db)
            try Self.putDwell(report, now, db)
            return true
        }
    }

    /// All devices, sorted by name. Their reports are without what they receive: that can be very much.
    package func devices() async throws(StoreError) -> [Device] {
        try await read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT host, first_at, report_at, report, heard FROM device ORDER BY host")
            var devices: [Device] = []
            while let row = try rows.next() {
                devices.append(
                    Device(
                        host: try row.text("host"), firstAt: try row.moment("first_at"),
                        reportedAt: try row.moment("report_at"), report: try DeviceReport(json: row.bytes("report")),
                        heard: Int(clamping: try row.integer("heard"))))
            }
            return devices
        }
    }

    /// Goes through what devices receive, one device after the other, so that never all of it is in memory.
    ///
    /// - Parameters:
    ///   - hosts: only these devices; nil for all.
    ///   - result: what `add` begins with.
    ///   - add: keeps what is needed. It is called on another thread.
    package func hearings<Result: Sendable>(
        of hosts: [String]? = nil, into result: Result,
        _ add: @escaping @Sendable (inout Result, DeviceHearing) -> Void
    ) async throws(StoreError) -> Result {
        try await read { db in
            var result = result
            func addAll(_ condition: String, _ arguments: StatementArguments) throws {
                let statement = try db.cachedStatement(
                    sql: "SELECT host, report_at, beacons FROM device \(condition)")
                let rows = try Row.fetchCursor(statement, arguments: arguments)
                while let row = try rows.next() {
                    let beacons = try decodeDocument(
                        [DeviceReport.Heard].self, json: row.bytes("beacons"), source: "report",
                        remedy: DeviceReport.remedy)
                    add(
                        &result,
                        DeviceHearing(
                            host: try row.text("host"), reportedAt: try row.moment("report_at"), beacons: beacons))
                }
            }
            guard let hosts else {
                try addAll("ORDER BY host", [])
                return result
            }
            for host in hosts { try addAll("WHERE host = ?", [host]) }
            return result
        }
    }

    /// Removes a device from the list until it reports again.
    ///
    /// - Throws: `notFound`.
    package func forgetDevice(_ host: String) async throws(StoreError) {
        try await write { db in
            try db.execute(sql: "DELETE FROM device WHERE host = ?", arguments: [host])
            guard db.changesCount == 1 else {
                throw StoreError(.notFound, "there is no device \(host)", remedy: "list the devices")
            }
        }
    }

    /// Dwell times, newest day first.
    package func dwell(_ query: DwellQuery) async throws(StoreError) -> [Dwell] {
        try await read { db in
            var conditions = ["day BETWEEN ? AND ?"]
            var arguments: StatementArguments = [query.days.lowerBound, query.days.upperBound]
            if let beacon = query.beacon {
                conditions.append("beacon = ?")
                arguments += ["\(beacon)"]
            }
            if let revision = query.revision {
                conditions.append("revision = ?")
                arguments += [revision]
            }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT * FROM dwell WHERE \(conditions.joined(separator: " AND ")) \
                    ORDER BY day DESC, beacon, revision LIMIT ?
                    """, arguments: arguments + [max(0, query.limit)])
            var found: [Dwell] = []
            while let row = try rows.next() {
                guard let beacon = BeaconID(try row.text("beacon")) else { throw StoreError.damaged("a bad identity") }
                found.append(
                    Dwell(
                        beacon: beacon, revision: try row.integer("revision"), day: try row.integer("day"),
                        seconds: try row.number("seconds"), visits: Int(clamping: try row.integer("visits"))))
            }
            return found
        }
    }

    // MARK: - Parts

    /// Forgets which reports of a device were counted, but not the last ones by the device's clock.
    private func forgetReports(of host: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM report WHERE host = ?1 AND period_start <= \
                (SELECT period_start FROM report WHERE host = ?1 ORDER BY period_start DESC LIMIT 1 OFFSET ?2)
                """
        ).execute(arguments: [host, limits.reportsOfDevice])
    }

    private func putDevice(_ report: DeviceReport, _ now: Moment, _ db: Database) throws {
        var listed = report
        (listed.beacons, listed.dwell) = ([], [])
        let (json, beacons) = (Data(try listed.json()), Data(try encodeDocument(report.beacons)))
        let known = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT period_end FROM device WHERE host = ?"), arguments: [report.host])
        guard let known else {
            let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM device")) ?? 0
            guard count < limits.devices else {
                throw StoreError(
                    .limit, "there are \(count) devices, which is the maximum", remedy: "remove those that are gone")
            }
            try db.cachedStatement(
                sql: """
                    INSERT INTO device (host, first_at, report_at, period_end, report, heard, beacons) \
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: [
                    report.host, now.microseconds, now.microseconds, report.periodEnd.microseconds, json,
                    report.beacons.count, beacons,
                ])
            return
        }
        // A late report of an earlier period is counted, but it does not describe the current state of the device.
        let isLate = report.periodEnd.microseconds < known && Self.isClose(report.periodEnd, now)
        if isLate { return }
        try db.cachedStatement(
            sql: """
                UPDATE device SET report_at = ?, period_end = ?, report = ?, heard = ?, beacons = ? WHERE host = ?
                """
        ).execute(
            arguments: [
                now.microseconds, report.periodEnd.microseconds, json, report.beacons.count, beacons, report.host,
            ])
    }

    private static func putDwell(_ report: DeviceReport, _ now: Moment, _ db: Database) throws {
        guard !report.dwell.isEmpty else { return }
        // With a wrong clock, the dwell times would be counted for the wrong days.
        let time = isClose(report.periodStart, now) ? report.periodStart : now
        let day = time.microseconds.floorDivided(by: 86_400_000_000)
        // Only beacons that were entered here at some time. Others would fill the database.
        let isKnown = try db.cachedStatement(
            sql: """
                SELECT 1 FROM document WHERE identity = ?1 UNION ALL SELECT 1 FROM dwell WHERE beacon = ?1 LIMIT 1
                """)
        let add = try db.cachedStatement(
            sql: """
                INSERT INTO dwell (beacon, revision, day, seconds, visits) VALUES (?, ?, ?, ?, ?) \
                ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds, visits = visits + excluded.visits
                """)
        let current = try currentNumber(db) ?? 0
        for entry in report.dwell where entry.revision <= current {
            guard try Int.fetchOne(isKnown, arguments: ["\(entry.id)"]) != nil else { continue }
            try add.execute(arguments: ["\(entry.id)", entry.revision, day, entry.seconds, entry.visits])
        }
    }

    /// Whether two instants are within three days. A device keeps its reports for a day while it reaches no server.
    private static func isClose(_ time: Moment, _ now: Moment) -> Bool {
        abs(now.time.seconds(since: time.time)) < 3 * 86_400
    }
}
