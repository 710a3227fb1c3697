import Curation
import GRDB
import Synchronization
import Text

/// The columns of a document with its current body.
let selectDocument = """
    SELECT d.number, d.id, d.kind, d.version, d.changed_at, d.changed_by, d.deleted_at, d.published_version, d.state, \
    v.at, v.body FROM document d JOIN version v ON v.document = d.number AND v.version = d.version
    """

extension CurationStore {
    func stored(_ row: Row) throws -> StoredDocument {
        let id = try row.id("id")
        let deletedAt = row.optionalMoment("deleted_at")
        return StoredDocument(
            id: id, version: try row.integer("version"),
            document: try body(row, id, try row.value("kind", as: Document.Kind.self)),
            changedAt: try row.moment("changed_at"), changedBy: try row.text("changed_by"),
            isDeleted: deletedAt != nil, deletedAt: deletedAt,
            publishedVersion: row.optionalInteger("published_version"),
            state: try row.value("state", as: StoredDocument.State.self))
    }

    /// Decodes the columns `version`, `at` and `body`.
    func body(_ row: Row, _ id: DocumentID, _ kind: Document.Kind) throws -> Document {
        let key = DocumentCache.Key(id: id, version: try row.integer("version"), at: try row.integer("at"))
        if let known = cache.withLock({ $0[key] }) { return known }
        let json = try row.bytes("body")
        let document = try decode(kind, json, id)
        cache.withLock { $0.add(document, key, bytes: json.count) }
        return document
    }

    func decode(_ kind: Document.Kind, _ json: [UInt8], _ id: DocumentID) throws(StoreError) -> Document {
        do {
            return try Document(kind, json: json, source: "\(kind.rawValue) \(id)")
        } catch {
            throw .damaged("a document that cannot be read: \(error.explanation)")
        }
    }

    func find(_ id: DocumentID, _ db: Database) throws -> StoredDocument? {
        let statement = try db.cachedStatement(sql: "\(selectDocument) WHERE d.id = ?")
        return try Row.fetchOne(statement, arguments: [id.text]).map(stored)
    }

    func require(_ id: DocumentID, _ db: Database) throws -> StoredDocument {
        guard let found = try find(id, db) else { throw StoreError.noDocument(id) }
        return found
    }

    /// The site's settings. If they were never saved, those of a new site.
    func site(_ db: Database) throws -> SiteDocument {
        try find(.site, db)?.document.site ?? SiteDocument()
    }
}
