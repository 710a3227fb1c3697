CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
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
CREATE TABLE version (
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (document, version)
) STRICT;
CREATE TABLE use (
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    field TEXT NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (document, field, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX use_target ON use (target);
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
CREATE TABLE change_item (
    change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
    document TEXT NOT NULL,
    before INTEGER,
    after INTEGER,
    PRIMARY KEY (change, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_item_document ON change_item (document, change);
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
CREATE TABLE published_body (
    number INTEGER PRIMARY KEY,
    document TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,                -- when it was saved
    body BLOB NOT NULL,
    UNIQUE (document, version)
) STRICT;
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
, made_with INTEGER) STRICT;
CREATE TABLE link (
    hash BLOB NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    account INTEGER REFERENCES account ON DELETE CASCADE,
    role TEXT,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
, made_with INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE device (
    host TEXT NOT NULL PRIMARY KEY,
    first_at INTEGER NOT NULL,
    report_at INTEGER NOT NULL,         -- by the server's clock
    period_end INTEGER NOT NULL,        -- by the device's clock
    report BLOB NOT NULL
, heard INTEGER NOT NULL DEFAULT 0, beacons BLOB NOT NULL DEFAULT x'5B5D') STRICT, WITHOUT ROWID;
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
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
