import GRDB

/// The tables, and the migrations from older versions.
///
/// A released migration must never be edited: existing databases would not get the change.
enum StoreSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", migrate: first)
        migrator.registerMigration("2") { try $0.execute(sql: makers) }
        migrator.registerMigration("3") { try $0.execute(sql: hearings) }
        return migrator
    }

    private static func first(_ db: Database) throws {
        for part in [documents, history, revisions, accounts, devices] { try db.execute(sql: part) }
    }

    // All instants are microseconds since 1970.

    /// With which token a program has made a token or a link: its number, 0 for what no program has made, and NULL
    /// where it is not known, because an earlier version made it.
    private static let makers = """
        ALTER TABLE token ADD COLUMN made_with INTEGER;
        ALTER TABLE link ADD COLUMN made_with INTEGER;
        """

    /// What a device receives is apart from the rest of its report, and last: a list of devices does not read it. How
    /// long beacons were the nearest stands in `dwell`.
    private static let hearings = """
        ALTER TABLE device ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE device ADD COLUMN beacons BLOB NOT NULL DEFAULT x'5B5D';
        UPDATE device SET heard = json_array_length(CAST(report AS TEXT), '$.beacons'),
            beacons = CAST(json_extract(CAST(report AS TEXT), '$.beacons') AS BLOB),
            report = CAST(json_remove(CAST(report AS TEXT), '$.beacons', '$.dwell') AS BLOB)
            WHERE CASE WHEN json_valid(CAST(report AS TEXT))
            THEN json_type(CAST(report AS TEXT), '$.beacons') = 'array' ELSE 0 END;
        """

    private static let documents = """
        CREATE TABLE document (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            version INTEGER NOT NULL,           -- the current one
            changed_at INTEGER NOT NULL,
            changed_by TEXT NOT NULL,
            deleted_at INTEGER,
            deleted_with TEXT,                  -- the beacon that took it into the bin
            last_change INTEGER NOT NULL,
            published_version INTEGER,          -- in the current revision
            state TEXT NOT NULL,
            name TEXT NOT NULL,
            sort_name TEXT NOT NULL,
            search TEXT NOT NULL,
            beacon TEXT,                        -- an image's
            rank INTEGER NOT NULL DEFAULT 0,
            identity TEXT,                      -- a beacon's uuid/major/minor
            valid_from INTEGER,
            valid_until INTEGER
        ) STRICT;
        CREATE INDEX document_name ON document (kind, deleted_at, sort_name, id);
        CREATE INDEX document_changed ON document (kind, deleted_at, changed_at);
        CREATE INDEX document_state ON document (state, kind);
        CREATE INDEX document_bin ON document (deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE INDEX document_with ON document (deleted_with) WHERE deleted_with IS NOT NULL;
        CREATE INDEX document_rank ON document (beacon, rank, sort_name, id) WHERE kind = 'image';
        CREATE UNIQUE INDEX document_identity ON document (identity) WHERE identity IS NOT NULL AND deleted_at IS NULL;
        -- The bodies. A version is never changed.
        CREATE TABLE version (
            document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL,
            by TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (document, version)
        ) STRICT;
        -- Which documents the current version of a document names, and where.
        CREATE TABLE use (
            document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
            field TEXT NOT NULL,
            target TEXT NOT NULL,
            PRIMARY KEY (document, field, target)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX use_target ON use (target);
        """

    private static let history = """
        CREATE TABLE change (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            by TEXT NOT NULL,
            kind TEXT NOT NULL,
            document TEXT,                      -- nil: the site as a whole
            document_kind TEXT,
            name TEXT NOT NULL,
            revision INTEGER,
            undoes INTEGER
        ) STRICT;
        CREATE INDEX change_document ON change (document, number) WHERE document IS NOT NULL;
        CREATE INDEX change_by ON change (by, number);
        CREATE INDEX change_at ON change (at);
        -- What it did to each document: nil before means that it was not there, nil after that it went.
        CREATE TABLE change_item (
            change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
            document TEXT NOT NULL,
            before INTEGER,
            after INTEGER,
            PRIMARY KEY (change, document)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX change_item_document ON change_item (document, change);
        """

    private static let revisions = """
        CREATE TABLE revision (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            by TEXT NOT NULL,
            kind TEXT NOT NULL,
            note TEXT NOT NULL,
            source INTEGER,                     -- the revision that was published again
            documents INTEGER NOT NULL,         -- how many it has
            changed INTEGER NOT NULL,           -- how many are other ones than in the revision before
            list BLOB,                          -- nil: too old to be kept whole
            signature BLOB
        ) STRICT;
        -- Which version of a document belongs to the revisions from `first` until before `last`.
        CREATE TABLE member (
            document TEXT NOT NULL,
            kind TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER,                       -- nil: also to the current one
            version INTEGER NOT NULL,
            PRIMARY KEY (document, first)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_current ON member (document) WHERE last IS NULL;
        CREATE INDEX member_last ON member (last) WHERE last IS NOT NULL;
        -- The bodies of published documents, which outlive the documents.
        CREATE TABLE published_body (
            number INTEGER PRIMARY KEY,
            document TEXT NOT NULL,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL,                -- when it was saved
            body BLOB NOT NULL,
            UNIQUE (document, version)
        ) STRICT;
        -- The files of the revisions from `first` until before `last`.
        CREATE TABLE file (
            path TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER,
            hash TEXT NOT NULL,
            PRIMARY KEY (path, first)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX file_current ON file (path) WHERE last IS NULL;
        CREATE INDEX file_last ON file (last) WHERE last IS NOT NULL;
        CREATE INDEX file_hash ON file (hash);
        CREATE TABLE file_body (
            hash TEXT NOT NULL PRIMARY KEY,
            body BLOB NOT NULL
        ) STRICT;
        -- The files of the media library that revisions name.
        CREATE TABLE asset (
            hash TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER,
            bytes INTEGER NOT NULL,
            media_type TEXT NOT NULL,
            PRIMARY KEY (hash, first)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX asset_current ON asset (hash) WHERE last IS NULL;
        CREATE INDEX asset_last ON asset (last) WHERE last IS NOT NULL;
        """

    private static let accounts = """
        CREATE TABLE account (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL COLLATE NOCASE UNIQUE,
            role TEXT NOT NULL,
            password TEXT,                      -- nil: an invitation that was not taken yet
            language TEXT,
            created_at INTEGER NOT NULL,
            signed_in_at INTEGER,
            is_enabled INTEGER NOT NULL DEFAULT 1
        ) STRICT;
        -- Only hashes of what opens a session, so that a stolen database opens none.
        CREATE TABLE session (
            hash BLOB NOT NULL PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            csrf TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            address TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_account ON session (account, used_at);
        CREATE INDEX session_used ON session (used_at);
        CREATE TABLE token (
            number INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            scopes TEXT NOT NULL,
            created_by TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            used_at INTEGER
        ) STRICT;
        CREATE TABLE link (
            hash BLOB NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            account INTEGER REFERENCES account ON DELETE CASCADE,
            role TEXT,
            created_by TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let devices = """
        CREATE TABLE device (
            host TEXT NOT NULL PRIMARY KEY,
            first_at INTEGER NOT NULL,
            report_at INTEGER NOT NULL,         -- by the server's clock
            period_end INTEGER NOT NULL,        -- by the device's clock
            report BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- Which reports were counted, so that one that is sent again is not counted again.
        CREATE TABLE report (
            host TEXT NOT NULL,
            period_start INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (host, period_start)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX report_at ON report (at);
        CREATE TABLE dwell (
            beacon TEXT NOT NULL,               -- uuid/major/minor
            revision INTEGER NOT NULL,          -- 0: none
            day INTEGER NOT NULL,               -- since 1970, UTC
            seconds REAL NOT NULL,
            visits INTEGER NOT NULL,
            PRIMARY KEY (beacon, revision, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX dwell_day ON dwell (day);
        """
}
