import Beacon
package import Curation
import GRDB
package import SiteFormat

/// The files of recent revisions. A reader of an old list must still find everything that it names.
extension CurationStore {
    /// A file by its path below `v1/`, from a revision that was current at this instant or later; nil if none has it.
    /// The newest revision counts.
    package func file(_ path: String, publishedSince moment: Moment) async throws(StoreError) -> BuiltFile? {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT f.hash, b.body FROM file f JOIN file_body b ON b.hash = f.hash WHERE f.path = ?1 \
                    AND (f.last IS NULL OR (SELECT at FROM revision WHERE number = f.last) >= ?2) \
                    ORDER BY f.first DESC LIMIT 1
                    """)
            return try Row.fetchOne(statement, arguments: [path, moment.time.microseconds]).map { row in
                BuiltFile(hash: try row.hash("hash"), bytes: try row.bytes("body"))
            }
        }
    }

    /// A file of the media library, named by a revision that was current at this instant or later; nil if none names
    /// it.
    package func asset(_ hash: AssetHash, publishedSince moment: Moment) async throws(StoreError) -> BuiltAsset? {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT a.bytes, a.media_type FROM asset a WHERE a.hash = ?1 \
                    AND (a.last IS NULL OR (SELECT at FROM revision WHERE number = a.last) >= ?2) LIMIT 1
                    """)
            return try Row.fetchOne(statement, arguments: ["\(hash)", moment.time.microseconds]).map { row in
                BuiltAsset(bytes: try row.integer("bytes"), mediaType: try row.text("media_type"))
            }
        }
    }
}
