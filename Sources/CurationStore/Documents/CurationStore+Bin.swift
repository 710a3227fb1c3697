package import Curation
import GRDB

extension CurationStore {
    /// Puts a document into the bin. A beacon takes its images with it.
    ///
    /// - Parameter version: the version that the editor saw; nil for any.
    /// - Throws: `notFound`, `conflict`.
    package func delete(
        _ id: DocumentID, over version: Int64? = nil, by author: Author, at now: Moment
    ) async throws(StoreError) {
        try await write { db in
            let work = try Work(self, db, author, now)
            let current = try self.require(id, db)
            guard id != .site else { throw StoreError(.invalid, "the site's settings cannot be deleted") }
            guard !current.isDeleted else { return }
            if let version, version != current.version { throw Self.conflict(current) }
            try self.bin(current, .deleted, undoes: nil, work)
        }
    }

    /// Takes a document out of the bin. With a beacon, the images that were deleted with it come back.
    ///
    /// - Throws: `notFound`; `taken`, `limit` or `invalid` if it can no longer be placed.
    package func restore(_ id: DocumentID, by author: Author, at now: Moment) async throws(StoreError) -> StoredDocument
    {
        try await write { db in
            let work = try Work(self, db, author, now)
            let current = try self.require(id, db)
            if current.isDeleted { try self.bringBack(current, work) }
            return try self.require(id, db)
        }
    }

    /// The documents in the bin, last deleted first, without images that were deleted with their beacon.
    package func bin(limit: Int = 50, offset: Int = 0) async throws(StoreError) -> DocumentPage {
        try await read { db in
            let condition = "d.deleted_at IS NOT NULL AND d.deleted_with IS NULL"
            let rows = try Row.fetchCursor(
                db,
                sql: "\(selectDocument) WHERE \(condition) ORDER BY d.deleted_at DESC, d.id LIMIT ? OFFSET ?",
                arguments: [max(0, limit), max(0, offset)])
            var documents: [StoredDocument] = []
            while let row = try rows.next() { documents.append(try self.stored(row)) }
            let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM document d WHERE \(condition)")
            return DocumentPage(documents: documents, total: total ?? 0)
        }
    }

    /// Deletes documents in the bin permanently, with all older versions. Copies in revisions and statistics are kept.
    ///
    /// - Parameters:
    ///   - ids: only these, with what was deleted with them; nil for everything.
    ///   - time: only documents that were deleted before; nil for everything.
    /// - Returns: the number of documents that were deleted.
    @discardableResult
    package func emptyBin(
        _ ids: Set<DocumentID>? = nil, deletedBefore time: Moment? = nil, by author: Author, at now: Moment
    ) async throws(StoreError) -> Int {
        try await write { db in
            let work = try Work(self, db, author, now)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, coalesce(deleted_with, id) AS root FROM document \
                    WHERE deleted_at IS NOT NULL AND deleted_at < ?
                    """, arguments: [time?.microseconds ?? .max])
            var gone: [DocumentID] = []
            for row in rows where try ids?.contains(row.id("root")) ?? true { gone.append(try row.id("id")) }
            let remove = try db.cachedStatement(sql: "DELETE FROM document WHERE id = ?")
            for id in gone { try remove.execute(arguments: [id.text]) }
            if !gone.isEmpty { _ = try work.change(.emptied, nil, nil, "\(gone.count)") }
            return gone.count
        }
    }

    func bin(_ current: StoredDocument, _ kind: Change.Kind, undoes: Int64?, _ work: Work) throws {
        let name = DocumentFacts(current.document, work.languages).name
        let change = try work.change(kind, current.id, current.document.kind, name, undoes: undoes)
        try bin(current, with: nil, in: change, work)
    }

    /// Puts a document into the bin as an item of a change.
    func bin(_ current: StoredDocument, with beacon: DocumentID?, in change: Int64, _ work: Work) throws {
        try work.item(change, current.id, before: current.version, after: nil)
        try work.db.cachedStatement(
            sql: """
                UPDATE document SET deleted_at = ?, deleted_with = ?, last_change = ?, changed_at = ?, changed_by = ? \
                WHERE id = ?
                """
        ).execute(
            arguments: [
                work.now.microseconds, beacon?.text, change, work.now.microseconds, work.author.name, current.id.text,
            ])
        try refreshState(current.id, work.db)
        guard current.document.kind == .beacon else { return }
        for image in try images(of: current.id, work.db) { try bin(image, with: current.id, in: change, work) }
    }

    func bringBack(_ current: StoredDocument, becoming next: Document? = nil, _ work: Work) throws {
        let name = DocumentFacts(current.document, work.languages).name
        let change = try work.change(.restored, current.id, current.document.kind, name)
        try bringBack(current, becoming: next, in: change, work)
    }

    /// Takes a document out of the bin as an item of a change.
    ///
    /// - Parameter next: what it becomes in the same transaction. The rules between documents hold for that.
    func bringBack(_ current: StoredDocument, becoming next: Document? = nil, in change: Int64, _ work: Work) throws {
        try checkRoom(of: next ?? current.document, except: current.id, work)
        try work.item(change, current.id, before: nil, after: current.version)
        try work.db.cachedStatement(
            sql: """
                UPDATE document SET deleted_at = NULL, deleted_with = NULL, last_change = ?, changed_at = ?, \
                changed_by = ? WHERE id = ?
                """
        ).execute(arguments: [change, work.now.microseconds, work.author.name, current.id.text])
        try refreshState(current.id, work.db)
        guard current.document.kind == .beacon else { return }
        let companions = try Row.fetchAll(
            work.db, sql: "\(selectDocument) WHERE d.deleted_with = ? ORDER BY d.rank, d.id",
            arguments: [current.id.text])
        for row in companions { try bringBack(stored(row), in: change, work) }
    }
}
