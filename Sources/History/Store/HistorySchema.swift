import GRDB

/// The tables, and how older ones become them.
enum HistorySchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
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
                    -- One beacon in one interval. Times in seconds since 1970, first and last in ms after start.
                    CREATE TABLE interval (
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
        return migrator
    }
}
