package import Beacon
package import GRDB
import Health
package import Reports

/// The table of problems of beacons. Databases that have it also have a table `beacon` with `id`, `uuid`, `major` and
/// `minor`.
package enum ProblemTable {
    /// The maximum number of rows in a report.
    private static let most = 2 * ReportedProblem.most

    package static let creation = """
        -- What was wrong with a beacon. Times in seconds since 1970.
        CREATE TABLE problem (
            beacon INTEGER NOT NULL,
            kind TEXT NOT NULL,           -- missing, weak, slow, moved, impostor, claim, battery
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,        -- up to when it is known to have lasted
            evidence TEXT NOT NULL,
            PRIMARY KEY (beacon, kind, first)
        ) WITHOUT ROWID;
        CREATE INDEX problem_last ON problem (last);
        """

    /// Writes a problem. One that already exists is extended.
    ///
    /// - Parameter beacon: the row number of its beacon.
    package static func write(_ problem: ReportedProblem, beacon: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO problem (beacon, kind, first, last, evidence) VALUES (?,?,?,?,?) \
                ON CONFLICT (beacon, kind, first) \
                DO UPDATE SET last = max(last, excluded.last), evidence = excluded.evidence
                """
        ).execute(arguments: [
            beacon, problem.problem.kind.rawValue, problem.problem.since, problem.last.wholeSeconds,
            problem.problem.evidence,
        ])
    }

    /// The problems of a span, the newest if there are too many.
    package static func read(_ span: ClosedRange<Timestamp>, _ db: Database) throws -> [ReportedProblem] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, uuid, major, minor, kind, first, last, evidence FROM problem \
                JOIN beacon ON beacon.id = problem.beacon WHERE last >= ? AND first <= ? \
                ORDER BY first DESC LIMIT \(most)
                """, arguments: [span.lowerBound.wholeSeconds, span.upperBound.wholeSeconds])
        var problems: [ReportedProblem] = []
        while let row = try rows.next() {
            if let problem = problem(row) { problems.append(problem) }
        }
        return problems
    }

    /// Returns nil for a row that this program has not written.
    private static func problem(_ row: Row) -> ReportedProblem? {
        guard let beacon = HistoryStore.beacon(row),
            let kind = row.text(4).flatMap({ HealthProblem.Kind(rawValue: $0) }),
            let first = row.integer(5), let last = row.integer(6), let evidence = row.text(7)
        else { return nil }
        return ReportedProblem(
            beacon: beacon, problem: HealthProblem(kind: kind, since: first, evidence: evidence),
            last: Timestamp(wholeSeconds: last))
    }
}
