package import Curation
import Foundation
import GRDB
package import SiteFormat

extension CurationStore {
    /// The revision that is published now; nil if nothing was published yet.
    package func currentRevision() async throws(StoreError) -> Revision? {
        try await read { db in try Self.currentNumber(db).map { try Self.revision($0, db) } }
    }

    /// The current revision number, those that devices report, and the next number.
    package func revisionNumbers() async throws(StoreError) -> RevisionNumbers {
        try await read { db in try Self.revisionNumbers(db) }
    }

    /// - Throws: `notFound`.
    package func revision(_ number: Int64) async throws(StoreError) -> Revision {
        try await read { db in try Self.revision(number, db) }
    }

    /// The revisions, newest first.
    ///
    /// - Parameter number: only revisions before this one.
    package func revisions(limit: Int = 50, before number: Int64? = nil) async throws(StoreError) -> [Revision] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "\(Self.selectRevision) WHERE number < ? ORDER BY number DESC LIMIT ?",
                arguments: [number ?? .max, max(0, limit)]
            ).map(Self.revision)
        }
    }

    /// The documents of a revision.
    ///
    /// - Throws: `notFound`, also if the revision is not kept.
    package func published(_ number: Int64) async throws(StoreError) -> [DocumentID: Document] {
        try await read { db in
            guard try Self.revision(number, db).isKept else { throw Self.notKept(number) }
            return try self.documents(of: RevisionMembers(of: number, db), db)
        }
    }

    /// All files of a revision.
    ///
    /// - Throws: `notFound`, also if the revision is not kept.
    package func built(_ number: Int64) async throws(StoreError) -> BuiltRevision {
        try await read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT list, signature FROM revision WHERE number = ?", arguments: [number])
            guard let row, let list = row.optionalBytes("list") else { throw Self.notKept(number) }
            var files: [String: BuiltFile] = [:]
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT f.path, f.hash, b.body FROM file f JOIN file_body b ON b.hash = f.hash \
                    WHERE f.first <= ?1 AND (f.last IS NULL OR f.last > ?1)
                    """, arguments: [number])
            while let row = try rows.next() {
                files[try row.text("path")] = BuiltFile(hash: try row.hash("hash"), bytes: try row.bytes("body"))
            }
            return BuiltRevision(
                list: list, signature: row.optionalBytes("signature"), files: files,
                assets: try Self.assets(of: number, db))
        }
    }

    /// One file of a revision by its path below `v1/`; nil if the revision does not have it.
    package func file(_ path: String, of number: Int64) async throws(StoreError) -> BuiltFile? {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT f.hash, b.body FROM file f JOIN file_body b ON b.hash = f.hash \
                    WHERE f.path = ?1 AND f.first <= ?2 AND (f.last IS NULL OR f.last > ?2)
                    """)
            return try Row.fetchOne(statement, arguments: [path, number]).map { row in
                BuiltFile(hash: try row.hash("hash"), bytes: try row.bytes("body"))
            }
        }
    }

    /// The library's files that are needed by any document, including those in the bin, or by any revision that is
    /// kept. All other files may be removed.
    package func neededAssets() async throws(StoreError) -> Set<AssetHash> {
        try await read { db in
            var needed: Set<AssetHash> = []
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT hash FROM asset UNION SELECT identity AS hash FROM document WHERE kind = 'media' \
                    AND identity IS NOT NULL UNION \
                    SELECT json_extract(CAST(v.body AS TEXT), '$.sha256') AS hash FROM version v \
                    JOIN document d ON d.number = v.document WHERE d.kind = 'media' AND v.body IS NOT NULL
                    """)
            while let row = try rows.next() { needed.insert(try row.hash("hash")) }
            return needed
        }
    }

    /// A version of the stored data. It changes when any process makes a change.
    package func dataVersion() async throws(StoreError) -> DataVersion {
        try await read { db in
            DataVersion(
                change: try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(number) FROM change")) ?? 0,
                revision: try Self.currentNumber(db) ?? 0)
        }
    }

    // MARK: - Parts

    static func currentNumber(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(number) FROM revision"))
    }

    static func revisionNumbers(_ db: Database) throws -> RevisionNumbers {
        let reported = try Int64.fetchAll(
            db,
            sql: """
                SELECT value FROM (SELECT json_extract(CAST(report AS TEXT), '$.revision') AS value FROM device) \
                WHERE typeof(value) = 'integer'
                """)
        return RevisionNumbers(current: try currentNumber(db), reported: reported)
    }

    static func notKept(_ number: Int64) -> StoreError {
        StoreError(.notFound, "revision \(number) is not kept", remedy: "choose a newer one")
    }

    private static let selectRevision = """
        SELECT number, at, by, kind, note, source, documents, changed, list IS NOT NULL AS is_kept FROM revision
        """

    static func revision(_ number: Int64, _ db: Database) throws -> Revision {
        let statement = try db.cachedStatement(sql: "\(selectRevision) WHERE number = ?")
        guard let row = try Row.fetchOne(statement, arguments: [number]) else {
            throw StoreError(.notFound, "there is no revision \(number)", remedy: "look it up on the page Revisions")
        }
        return try revision(row)
    }

    private static func revision(_ row: Row) throws -> Revision {
        Revision(
            number: try row.integer("number"), at: try row.moment("at"), by: try row.text("by"),
            kind: try row.value("kind", as: Revision.Kind.self), note: try row.text("note"),
            source: row.optionalInteger("source"), documents: Int(clamping: try row.integer("documents")),
            changed: Int(clamping: try row.integer("changed")), isKept: try row.flag("is_kept"))
    }

    private static func assets(of number: Int64, _ db: Database) throws -> [AssetHash: BuiltAsset] {
        var assets: [AssetHash: BuiltAsset] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT hash, bytes, media_type FROM asset WHERE first <= ?1 AND (last IS NULL OR last > ?1)
                """, arguments: [number])
        while let row = try rows.next() {
            assets[try row.hash("hash")] = BuiltAsset(
                bytes: try row.integer("bytes"), mediaType: try row.text("media_type"))
        }
        return assets
    }
}

/// Compared to see whether anything was changed, by this process or another one.
package struct DataVersion: Hashable, Sendable {
    /// The number of the newest change.
    package var change: Int64
    /// The current revision; 0 without one.
    package var revision: Int64
}
