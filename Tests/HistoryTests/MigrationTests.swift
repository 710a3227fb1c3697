import Beacon
import Foundation
import History
import Reports
import Settings
import TestSupport
import Testing

/// A history as the first schema had it, which later versions have to take over with all that is in it.
@Suite(.timeLimit(.minutes(10))) struct MigrationTests {
    private let folder: String
    private var file: String { "\(folder)/history.sqlite" }
    private static let start = 1_800_057_600

    init() throws {
        folder = try temporaryFolder("history")
    }

    /// The tables of schema 1, word for word as they were made, and what GRDB notes of it.
    private static let schema = """
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = WAL;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('1');
        CREATE TABLE beacon (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, major INTEGER NOT NULL, minor INTEGER NOT NULL,
            name TEXT, last_start INTEGER NOT NULL, UNIQUE (uuid, major, minor));
        CREATE TABLE interval (start INTEGER NOT NULL, beacon INTEGER NOT NULL, seconds INTEGER NOT NULL,
            first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, count INTEGER NOT NULL, measured_power INTEGER NOT NULL,
            level_cdbm INTEGER, low_mm INTEGER, high_mm INTEGER, present_ms INTEGER NOT NULL, nearest_ms INTEGER NOT NULL,
            levels BLOB NOT NULL, distances BLOB NOT NULL, PRIMARY KEY (start, beacon)) WITHOUT ROWID;
        CREATE TABLE span (run INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, beacon INTEGER, region TEXT,
            first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;
        CREATE INDEX span_last ON span (last);
        CREATE TABLE sync (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, beacon INTEGER, outcome TEXT NOT NULL,
            fetched_bytes INTEGER NOT NULL, text TEXT);
        CREATE INDEX sync_time ON sync (time);

        """

    private func row(_ interval: BeaconInterval, _ beacon: Int) -> String {
        func hex(_ histogram: Histogram) -> String {
            "X'" + histogram.encoded.map { String(format: "%02X", $0) }.joined() + "'"
        }
        return """
            INSERT INTO interval VALUES (\(Int(interval.start.seconds)), \(beacon), 60, 500, 59500, \(interval.count), -59, \
            -6000, 1000, 3000, 60000, 30000, \(hex(interval.levels)), \(hex(interval.distances)));

            """
    }

    @Test("the first schema's history is taken over whole, and its forged identities are bounded bit by bit")
    func firstSchemas() async throws {
        var random = SeededGenerator(seed: 1)
        var sql = Self.schema + "BEGIN;\n"
        for number in 1...2 {
            sql +=
                "INSERT INTO beacon VALUES (\(number), '\(SimulatedDay.uuid)', 1, \(number), "
                + "\(number == 1 ? "'Hall'" : "NULL"), \(Self.start + 299 * 60));\n"
        }
        for step in 0..<300 {
            for number in 1...2 { sql += row(minute(Self.start + step * 60, UInt16(number), random: &random), number) }
        }
        // A thousand that were heard once, ten for each of a hundred minutes.
        for number in 0..<1000 {
            let (beacon, begin) = (number + 10, Self.start + number / 10 * 60)
            sql += "INSERT INTO beacon VALUES (\(beacon), '\(SimulatedDay.uuid)', 9, \(number), NULL, \(begin));\n"
            sql += row(minute(begin, 1, random: &random), beacon)
            sql +=
                "INSERT INTO span VALUES (1, \(number + 1), 'visit', \(beacon), NULL, \(begin)000000, "
                    + "\(begin + 5)000000);\n"
        }
        sql +=
            "INSERT INTO span VALUES (1, 5000, 'recording', NULL, NULL, \(Self.start)000000, "
                + "\(Self.start + 18_000)000000);\n"
        try await SQLite.run(sql + "COMMIT;", in: file)

        let store = try HistoryStore(HistorySettings(file: file, maximumBytes: HistorySettings.leastBytes))
        #expect(store.movedAside == nil)
        // Whole at once …
        let first = try store.report(Self.start, Self.start + 18_000)
        #expect(first.beacons.count == 1002 && first.count == 160_000)
        // … and with its upkeep done: the newest of the forged are left, and of the real ones everything.
        try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(Self.start + 86_400)))
        for coarsest in [nil, Rollup.hour] {
            let span = Timestamp(seconds: Double(Self.start))...Timestamp(seconds: Double(Self.start + 18_000))
            var assembly = ReportAssembly(span: span, resolution: 3600, localTime: .utc)
            let names = try store.play(span, into: &assembly, coarsest: coarsest)
            let report = assembly.report(names: names)
            #expect(report.beacons.count == 2 + store.settings.mostPassing)
            for number: UInt16 in 1...2 {
                #expect(report.beacons.first { $0.id == id(number) }?.count == 30_000)
            }
            #expect(report.beacons.first { $0.id == id(1) }?.name == "Hall")
            #expect(report.scanner.recordedSeconds == 18_000)
        }
        // It goes on as any other.
        try store.write([minute(Self.start + 18_000, 1, random: &random)], [], [])
        store.close()
        let again = try HistoryStore(HistorySettings(file: file, maximumBytes: HistorySettings.leastBytes))
        #expect(try again.report(Self.start, Self.start + 20_000).beacons.first { $0.id == id(1) }?.count == 30_100)
        #expect(try again.kept() == [id(1), id(2)])
    }
}
