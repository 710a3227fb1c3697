package import Beacon
import Foundation
import GRDB
package import Reports
import Settings
import Synchronization

extension HistoryStore {
    /// Writes an interval in one transaction: all of it or nothing.
    ///
    /// - Parameter dropped: sightings that had no room in the interval.
    package func write(
        _ intervals: [BeaconInterval], _ spans: [RecordedSpan], _ syncs: [SyncResult], names: [BeaconID: String] = [:],
        dropped: Int = 0
    ) throws(HistoryError) {
        try write(each: intervals, spans, syncs, names, dropped: dropped)
    }

    /// The same for an interval as it was recorded, without a list of the results of all its beacons.
    package func write(
        _ over: RecordedInterval, _ syncs: [SyncResult], names: [BeaconID: String] = [:]
    ) throws(HistoryError) {
        try write(
            each: over.accumulator.eachBeacon, over.spans, syncs, names, dropped: over.accumulator.dropped)
    }

    private func write(
        each intervals: some Sequence<BeaconInterval>, _ spans: [RecordedSpan], _ syncs: [SyncResult],
        _ names: [BeaconID: String], dropped: Int
    ) throws(HistoryError) {
        do {
            try queue.write { db in
                var start: Int64?
                for interval in intervals {
                    start = start ?? interval.start.wholeSeconds
                    try write(interval, db, names)
                }
                for span in spans { try write(span, db, names) }
                for sync in syncs { try write(sync, db, names) }
                if dropped > 0, let start {
                    try db.execute(
                        sql: """
                            INSERT INTO dropped (start, count) VALUES (?, ?) \
                            ON CONFLICT (start) DO UPDATE SET count = count + excluded.count
                            """, arguments: [start, dropped])
                }
            }
        } catch {
            // The row numbers of a rolled-back transaction are invalid.
            beacons.withLock { $0.forget() }
            throw HistoryError(error, file: settings.file)
        }
    }

    /// Writes the current problems of beacons. A problem that was already written and still exists is extended.
    package func write(_ problems: [ReportedProblem], names: [BeaconID: String]) throws(HistoryError) {
        guard !problems.isEmpty else { return }
        do {
            try queue.write { db in
                for problem in problems {
                    try ProblemTable.write(problem, beacon: row(of: problem.beacon, db, names).number, db)
                }
            }
        } catch {
            beacons.withLock { $0.forget() }
            throw HistoryError(error, file: settings.file)
        }
    }

    private func write(_ interval: BeaconInterval, _ db: Database, _ names: [BeaconID: String]) throws {
        let beacon = try row(of: interval.id, db, names).number
        let start = interval.start.wholeSeconds
        // A row exists after a restart within the interval, or if the clock was set back.
        let known = try Row.fetchOne(
            db.cachedStatement(sql: "\(Self.selectIntervals) WHERE start = ? AND beacon = ?"),
            arguments: [start, beacon])
        let row = try note(interval.id, in: start, isNew: known == nil, db, names)
        var whole = interval
        if let known, var merged = Self.interval(known, { _ in interval.id }) {
            merged.merge(interval)
            merged.seconds = max(merged.seconds, interval.seconds)
            whole = merged
        }
        try insert(whole, start, beacon, db, "REPLACE", into: "interval")
        if row.standing == .kept {
            try rollUp(interval, of: beacon, db)
        } else {
            try db.cachedStatement(sql: "UPDATE interval SET passing = 1 WHERE start = ? AND beacon = ?")
                .execute(arguments: [start, beacon])
        }
    }

    func insert(
        _ interval: BeaconInterval, _ start: Int64, _ beacon: Int64, _ db: Database, _ verb: String, into table: String
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                \(verb) INTO \(table) (start, beacon, seconds, first_ms, last_ms, count, measured_power, level_cdbm, \
                low_mm, high_mm, present_ms, nearest_ms, levels, distances) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)
                """)
        try statement.execute(arguments: [
            start, beacon, interval.seconds, Self.milliseconds(interval.firstSeen, after: start),
            Self.milliseconds(interval.lastSeen, after: start), interval.count, interval.measuredPower,
            Self.rounded(interval.filteredLevel, 100), Self.rounded(interval.distanceRange?.lowerBound, 1000),
            Self.rounded(interval.distanceRange?.upperBound, 1000), Self.rounded(interval.presentSeconds, 1000),
            Self.rounded(interval.nearestSeconds, 1000), Blob(interval.levels.encoded),
            Blob(interval.distances.encoded),
        ])
    }

    private func write(_ span: RecordedSpan, _ db: Database, _ names: [BeaconID: String]) throws {
        var beacon: BeaconID?
        var region: String?
        let kind: String
        switch span.subject {
        case .recording: kind = "recording"
        case .blind: kind = "blind"
        case .visit(let id): (kind, beacon) = ("visit", id)
        case .nearest(let id): (kind, beacon) = ("nearest", id)
        case .region(let name): (kind, region) = ("region", name)
        }
        try db.cachedStatement(
            sql: "REPLACE INTO span (run, number, kind, beacon, region, first, last) VALUES (?,?,?,?,?,?,?)"
        ).execute(arguments: [
            run, span.id, kind, try beacon.map { try row(of: $0, db, names).number }, region, span.begin.microseconds,
            span.end.microseconds,
        ])
    }

    private func write(_ sync: SyncResult, _ db: Database, _ names: [BeaconID: String]) throws {
        try db.cachedStatement(
            sql: "INSERT INTO sync (time, beacon, outcome, fetched_bytes, text) VALUES (?,?,?,?,?)"
        ).execute(arguments: [
            sync.time.microseconds, try sync.beacon.map { try row(of: $0, db, names).number }, sync.outcome.rawValue,
            sync.fetchedBytes, sync.text,
        ])
    }

    /// First and last sightings are near the interval. Times that are not, because the clock was set, are limited.
    private static func milliseconds(_ time: Timestamp, after start: Int64) -> Int64 {
        let offset = time.microseconds.subtractingReportingOverflow(
            start.multipliedReportingOverflow(by: 1_000_000).partialValue)
        return min(max(offset.partialValue / 1000, -86_400_000), 86_400_000)
    }

    private static func rounded(_ value: Double?, _ scale: Double) -> Int64? {
        value.map { ($0 * scale).isFinite ? Int64(min(max(($0 * scale).rounded(), -9e15), 9e15)) : 0 }
    }
}

extension Timestamp {
    /// Whole seconds since 1970, rounded down.
    var wholeSeconds: Int64 {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? seconds - 1 : seconds
    }

    init(wholeSeconds: Int64) {
        self.init(microseconds: wholeSeconds.multipliedReportingOverflow(by: 1_000_000).partialValue)
    }
}

/// Bytes as a value of the database, without using Foundation in the caller.
private struct Blob: DatabaseValueConvertible {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? {
        Data.fromDatabaseValue(value).map { Blob([UInt8]($0)) }
    }
}
