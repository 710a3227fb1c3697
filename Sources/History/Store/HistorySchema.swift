import GRDB

/// The tables, and the migration of older ones.
enum HistorySchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", migrate: first)
        migrator.registerMigration("2", migrate: second)
        migrator.registerMigration("3") { try $0.execute(sql: ProblemTable.creation) }
        return migrator
    }

    private static func first(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE beacon (
                    id INTEGER PRIMARY KEY,
                    uuid TEXT NOT NULL,
                    major INTEGER NOT NULL,
                    minor INTEGER NOT NULL,
                    name TEXT,
                    last_start INTEGER NOT NULL,  -- of its last interval
                    UNIQUE (uuid, major, minor)
                );
                \(intervals("interval"))
                -- For how long something was so. Times in microseconds since 1970.
                CREATE TABLE span (
                    run INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    kind TEXT NOT NULL,           -- recording, blind, visit, nearest, region
                    beacon INTEGER,
                    region TEXT,
                    first INTEGER NOT NULL,
                    last INTEGER NOT NULL,
                    PRIMARY KEY (run, number)
                ) WITHOUT ROWID;
                CREATE INDEX span_last ON span (last);
                CREATE TABLE sync (
                    id INTEGER PRIMARY KEY,
                    time INTEGER NOT NULL,
                    beacon INTEGER,
                    outcome TEXT NOT NULL,        -- ready, nothing, failed, waiting, site
                    fetched_bytes INTEGER NOT NULL,
                    text TEXT
                );
                CREATE INDEX sync_time ON sync (time);
                """)
    }

    /// What is known about a beacon, so that forged ones are removed first, and roll-ups by hour and by day.
    ///
    /// Rows of intervals are not changed here, because that would write a large file twice: `markPortion` changes them
    /// later in portions.
    private static func second(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE beacon ADD COLUMN intervals INTEGER NOT NULL DEFAULT 1;  -- in which it was
                -- 0 passing, 1 so in a region, 2 kept
                ALTER TABLE beacon ADD COLUMN standing INTEGER NOT NULL DEFAULT 0;
                UPDATE beacon SET intervals = counted.number FROM
                    (SELECT beacon AS id, count(*) AS number FROM interval GROUP BY beacon HAVING count(*) > 1)
                    AS counted
                    WHERE counted.id = beacon.id;
                UPDATE beacon SET standing = 2 WHERE name IS NOT NULL OR intervals >= \(HistoryStore.pastIntervals);
                CREATE INDEX beacon_standing ON beacon (standing, last_start);
                ALTER TABLE interval ADD COLUMN passing INTEGER NOT NULL DEFAULT 0;  -- 1: its beacon is not kept
                CREATE INDEX interval_passing ON interval (beacon, start) WHERE passing = 1;
                CREATE INDEX span_beacon ON span (beacon) WHERE beacon IS NOT NULL;
                CREATE INDEX sync_beacon ON sync (beacon) WHERE beacon IS NOT NULL;
                -- Sightings that had no room in an interval.
                CREATE TABLE dropped (start INTEGER PRIMARY KEY, count INTEGER NOT NULL);
                -- How far the upkeep has come.
                CREATE TABLE progress (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
                INSERT INTO progress SELECT 'unmarked_until', max(start) FROM interval HAVING max(start) IS NOT NULL;
                """)
        for table in Rollup.allCases.map(\.table) { try db.execute(sql: intervals(table)) }
    }

    /// The table of one beacon in one interval, or in several intervals rolled up. Existing databases would not get a
    /// change of this text: a change needs its own migration.
    private static func intervals(_ name: String) -> String {
        """
        -- Times in seconds since 1970, first and last in ms after start.
        CREATE TABLE \(name) (
            start INTEGER NOT NULL,
            beacon INTEGER NOT NULL,
            seconds INTEGER NOT NULL,
            first_ms INTEGER NOT NULL,
            last_ms INTEGER NOT NULL,
            count INTEGER NOT NULL,
            measured_power INTEGER NOT NULL,
            level_cdbm INTEGER,           -- filtered, in hundredths of a dBm
            low_mm INTEGER,               -- distance: the interval that holds it
            high_mm INTEGER,
            present_ms INTEGER NOT NULL,
            nearest_ms INTEGER NOT NULL,
            levels BLOB NOT NULL,         -- how often each level was read
            distances BLOB NOT NULL,      -- how often each distance was found
            PRIMARY KEY (start, beacon)
        ) WITHOUT ROWID;
        """
    }
}
