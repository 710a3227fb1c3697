package import Beacon
import Foundation
import GRDB
package import Reports
import Settings

extension HistoryStore {
    static let selectIntervals = select("interval")

    static func select(_ table: String) -> String {
        """
        SELECT beacon, start, seconds, first_ms, last_ms, count, measured_power, level_cdbm, low_mm, high_mm, \
        present_ms, nearest_ms, levels, distances FROM \(table)
        """
    }

    /// The first recorded time; nil if there is none. Sightings before the first tick belong to that tick, so a visit
    /// may begin before the recording does.
    package func beginning() throws(HistoryError) -> Timestamp? {
        try time("SELECT min(first) FROM span")
    }

    /// The last recorded time; nil if there is none.
    package func newest() throws(HistoryError) -> Timestamp? {
        try time("SELECT max(last) FROM span")
    }

    /// The last recorded time that is not after another one; nil if there is none.
    package func newest(upTo limit: Timestamp) throws(HistoryError) -> Timestamp? {
        let microseconds = limit.microseconds
        let recorded = try time(
            "SELECT ? FROM span WHERE last >= ? AND first <= ? LIMIT 1", microseconds, microseconds, microseconds)
        if let recorded { return recorded }
        return try time("SELECT max(last) FROM span WHERE last < ?", microseconds)
    }

    private func time(_ sql: String, _ arguments: Int64...) throws(HistoryError) -> Timestamp? {
        do {
            return try queue.read { try Int64.fetchOne($0, sql: sql, arguments: StatementArguments(arguments)) }
                .map(Timestamp.init(microseconds:))
        } catch {
            throw HistoryError(error, file: settings.file)
        }
    }

    /// Adds all records of a span to a report.
    ///
    /// - Parameters:
    ///   - coarsest: the longest roll-up that may replace its intervals. The pieces of the report must begin and end
    ///     with it.
    ///   - except: spans of this run for which newer data exist.
    /// - Returns: the names of the beacons.
    package func play(
        _ span: ClosedRange<Timestamp>, into assembly: inout ReportAssembly, coarsest: Rollup? = nil,
        except known: Set<Int> = []
    ) throws(HistoryError) -> [BeaconID: String] {
        try play(span, into: &assembly, coarsest: coarsest, except: known, as: HistoryReading())
    }

    /// - Parameter reading: allows cancelling.
    package func play(
        _ span: ClosedRange<Timestamp>, into assembly: inout ReportAssembly, coarsest: Rollup?, except known: Set<Int>,
        as reading: HistoryReading
    ) throws(HistoryError) -> [BeaconID: String] {
        var result = assembly
        let names: [BeaconID: String]
        do {
            try checkForEnd()
            names = try queue.read { db in
                try reading.run(in: self) {
                    let (ids, names) = try beacons(db)
                    try addIntervals(of: span, coarsest, ids, to: &result, db, reading)
                    result.add(dropped: try dropped(span, db))
                    try addSpans(of: span, except: known, ids, to: &result, db, reading)
                    try addSyncs(of: span, ids, to: &result, db)
                    for problem in try ProblemTable.read(span, db) { result.add(problem) }
                    return names
                }
            }
        } catch {
            throw HistoryError(error, file: settings.file)
        }
        assembly = result
        return names
    }

    private func beacons(_ db: Database) throws -> (ids: [Int64: BeaconID], names: [BeaconID: String]) {
        var ids: [Int64: BeaconID] = [:]
        var names: [BeaconID: String] = [:]
        let beacons = try Row.fetchCursor(db, sql: "SELECT id, uuid, major, minor, name FROM beacon")
        while let row = try beacons.next() {
            guard let number = row.integer(0), let id = Self.beacon(row) else { continue }
            ids[number] = id
            if let name = row.text(4) { names[id] = name }
        }
        return (ids, names)
    }

    private func addIntervals(
        of span: ClosedRange<Timestamp>, _ coarsest: Rollup?, _ ids: [Int64: BeaconID], to result: inout ReportAssembly,
        _ db: Database, _ reading: HistoryReading
    ) throws {
        let plan = ReadingPlan(
            from: span.lowerBound.wholeSeconds, through: span.upperBound.wholeSeconds,
            interval: Int64(settings.interval), coarsest: coarsest,
            try ReadingPlan.State(
                hours: progress(.hours, db), days: progress(.days, db), minutes: progress(.minutes, db)))
        for piece in plan.pieces {
            let rows = try rows(of: piece, db)
            while let row = try rows.next() {
                try checkForEnd()
                try reading.check()
                if let interval = Self.interval(row, { ids[$0] }) { result.add(interval) }
            }
        }
    }

    private func addSpans(
        of span: ClosedRange<Timestamp>, except known: Set<Int>, _ ids: [Int64: BeaconID],
        to result: inout ReportAssembly, _ db: Database, _ reading: HistoryReading
    ) throws {
        let spans = try Row.fetchCursor(
            db, sql: "SELECT number, kind, beacon, region, first, last, run FROM span WHERE last >= ? AND first <= ?",
            arguments: [span.lowerBound.microseconds, span.upperBound.microseconds])
        while let row = try spans.next() {
            try checkForEnd()
            try reading.check()
            guard let recorded = Self.span(row, ids) else { continue }
            if !known.contains(recorded.id) || row.integer(6) != Int64(run) { result.add(recorded) }
        }
    }

    private func addSyncs(
        of span: ClosedRange<Timestamp>, _ ids: [Int64: BeaconID], to result: inout ReportAssembly, _ db: Database
    ) throws {
        let syncs = try Row.fetchCursor(
            db, sql: "SELECT time, beacon, outcome, fetched_bytes, text FROM sync WHERE time BETWEEN ? AND ?",
            arguments: [span.lowerBound.microseconds, span.upperBound.microseconds])
        while let row = try syncs.next() {
            if let sync = Self.sync(row, ids) { result.add(sync) }
        }
    }

    private func rows(of piece: ReadingPlan.Piece, _ db: Database) throws -> RowCursor {
        switch piece {
        case .intervals(let from, let to): try rows("interval", "ORDER BY start", from, to, db)
        case .hours(let from, let to): try rows("hour", "ORDER BY start", from, to, db)
        case .days(let from, let to): try rows("day", "ORDER BY start", from, to, db)
        case .passing(let from, let to):
            try rows("interval INDEXED BY interval_passing", "AND passing = 1 ORDER BY start", from, to, db)
        }
    }

    private func rows(_ table: String, _ rest: String, _ from: Int64, _ to: Int64, _ db: Database) throws -> RowCursor {
        try Row.fetchCursor(
            db, sql: "\(Self.select(table)) WHERE start >= ? AND start < ? \(rest)", arguments: [from, to])
    }

    private func dropped(_ span: ClosedRange<Timestamp>, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT coalesce(sum(count), 0) FROM dropped WHERE start > ? AND start <= ?",
            arguments: [span.lowerBound.wholeSeconds - Int64(settings.interval), span.upperBound.wholeSeconds]) ?? 0
    }

    static func beacon(_ row: Row) -> BeaconID? {
        guard let uuid = row.text(1).flatMap({ ProximityUUID($0) }),
            let major = row.integer(2).flatMap(UInt16.init(exactly:)),
            let minor = row.integer(3).flatMap(UInt16.init(exactly:))
        else { return nil }
        return BeaconID(uuid: uuid, major: major, minor: minor)
    }

    /// Nil if the row cannot have been written by this program.
    static func interval(_ row: Row, _ id: (Int64) -> BeaconID?) -> BeaconInterval? {
        guard let id = row.integer(0).flatMap(id), let start = row.integer(1), let seconds = row.integer(2),
            let first = row.integer(3), let last = row.integer(4), let count = row.integer(5),
            let power = row.integer(6).flatMap(Int8.init(exactly:)), let present = row.integer(10),
            let nearest = row.integer(11), let levels = histogram(row, 12), let distances = histogram(row, 13)
        else { return nil }
        func time(_ milliseconds: Int64) -> Timestamp {
            Timestamp(microseconds: start &* 1_000_000 &+ milliseconds &* 1000)
        }
        var interval = BeaconInterval(
            id: id, start: time(0), seconds: Int(min(max(1, seconds), 86_400)), firstSeen: time(first),
            lastSeen: time(last), count: Int(min(max(0, count), 1 << 32)), measuredPower: power, levels: levels,
            distances: distances, presentSeconds: Double(present) / 1000, nearestSeconds: Double(nearest) / 1000)
        if let level = row.integer(7) { interval.filteredLevel = Double(level) / 100 }
        if let low = row.integer(8), let high = row.integer(9) {
            interval.distanceRange = Double(low) / 1000...Double(max(low, high)) / 1000
        }
        return interval
    }

    private static func histogram(_ row: Row, _ column: Int) -> Histogram? {
        // An empty BLOB has no data. A value that is neither BLOB nor text was not written by this program.
        try? row.withUnsafeData(atIndex: column) { data in
            guard let data else { return Histogram() }
            return data.withUnsafeBytes { Histogram(encoded: $0.bytes) }
        }
    }

    private static func span(_ row: Row, _ ids: [Int64: BeaconID]) -> RecordedSpan? {
        guard let number = row.integer(0), let first = row.integer(4), let last = row.integer(5) else { return nil }
        let beacon = row.integer(2).flatMap { ids[$0] }
        let subject: RecordedSpan.Subject? =
            switch row.text(1) {
            case "recording": .recording
            case "blind": .blind
            case "visit": beacon.map { .visit($0) }
            case "nearest": beacon.map { .nearest($0) }
            case "region": row.text(3).map { .region($0) }
            default: nil
            }
        return subject.map {
            RecordedSpan(
                id: Int(number), subject: $0, begin: Timestamp(microseconds: first), end: Timestamp(microseconds: last))
        }
    }

    private static func sync(_ row: Row, _ ids: [Int64: BeaconID]) -> SyncResult? {
        guard let time = row.integer(0), let outcome = row.text(2).flatMap(SyncResult.Outcome.init(rawValue:)),
            let bytes = row.integer(3)
        else { return nil }
        return SyncResult(
            time: Timestamp(microseconds: time), beacon: row.integer(1).flatMap { ids[$0] }, outcome: outcome,
            fetchedBytes: min(max(0, bytes), 1 << 50), text: row.text(4))
    }
}

/// Reads values of any type: a file can contain anything, and subscripts would trap.
extension Row {
    func integer(_ column: Int) -> Int64? {
        Int64.fromDatabaseValue(self[column] as DatabaseValue)
    }

    func text(_ column: Int) -> String? {
        String.fromDatabaseValue(self[column] as DatabaseValue)
    }
}
