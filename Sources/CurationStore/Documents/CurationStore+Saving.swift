package import Curation
import Foundation
import GRDB

extension CurationStore {
    /// Saves a draft as a new version, or creates a new document. Saving an unchanged document changes nothing.
    ///
    /// - Parameters:
    ///   - id: nil creates a document with a new id. An id that does not exist yet is used as it is, for imports.
    ///   - version: the version that the editor saw; nil or 0 for a new document. If another version is current,
    ///     nothing is lost: the error contains it. A version that only moved the image among others is not a conflict.
    /// - Throws: `conflict`, `taken` (field `uuid` or `sha256`), `limit` (field `beacon`: too many images), `invalid`
    ///   (two contents on one side), `notFound`.
    package func save(
        _ document: Document, as id: DocumentID?, over version: Int64?, by author: Author, at now: Moment
    ) async throws(StoreError) -> StoredDocument {
        try await write { db in
            var work = try Work(self, db, author, now)
            let saved = try self.save(document, id, version, &work)
            return try self.require(saved, db)
        }
    }

    /// Saves several documents, all of them or none; for imports. Existing documents are replaced, whatever their
    /// version is. The rules between documents hold for the result: two beacons may exchange their identities.
    ///
    /// - Parameter bases: what documents must still be; the others are not compared.
    /// - Throws: as for one document. The place says which document it is.
    package func save(
        all documents: [DocumentID: Document], over bases: [DocumentID: Document] = [:], by author: Author,
        at now: Moment
    ) async throws(StoreError) {
        try await write { db in
            var work = try Work(self, db, author, now)
            try self.releaseIdentities(changedBy: documents, db)
            let counts = try self.countImages(db)
            work.checksImageCount = false
            for (id, document) in documents.sorted(by: {
                (Self.turn(of: $0.value), $0.key) < (Self.turn(of: $1.value), $1.key)
            }) {
                do {
                    try self.save(document, as: id, over: bases[id], &work)
                } catch var error as StoreError {
                    if error.place.isEmpty { error.place = work.place(of: id, document) }
                    throw error
                }
            }
            try self.checkImageCounts(since: counts, work)
        }
    }

    /// Saves one document of an import.
    private func save(_ document: Document, as id: DocumentID, over base: Document?, _ work: inout Work) throws {
        let current = try find(id, work.db)
        if let base, let current, current.isDeleted || current.document != base { throw Self.conflict(current) }
        if let current, current.isDeleted { try bringBack(current, becoming: document, work) }
        _ = try save(document, id, current?.version, &work)
    }

    /// The settings come first, because they contain limits and languages. Images come last, because their beacons must
    /// exist.
    private static func turn(of document: Document) -> Int {
        switch document {
        case .site: 0
        case .beacon, .media, .plan: 1
        case .image: 2
        }
    }

    /// - Returns: the document's id.
    private func save(
        _ document: Document, _ id: DocumentID?, _ version: Int64?, _ work: inout Work
    ) throws -> DocumentID {
        let id = document.kind == .site ? .site : id ?? .random()
        guard (id == .site) == (document.kind == .site) else {
            throw StoreError(.invalid, "only the site's settings are saved as \(DocumentID.site)")
        }
        guard let current = try find(id, work.db) else {
            guard (version ?? 0) == 0 else { throw StoreError.noDocument(id) }
            try create(document, id, ranked: version != nil, &work)
            return id
        }
        guard current.document.kind == document.kind else {
            throw StoreError(.invalid, "\(id) is a \(current.document.kind.rawValue), not a \(document.kind.rawValue)")
        }
        var document = document
        if current.version != version || current.isDeleted {
            guard !current.isDeleted, let seen = version, let merged = try merge(document, seen, current, work.db)
            else {
                throw Self.conflict(current)
            }
            document = merged
        }
        if document == current.document { return id }
        if let image = document.image, let before = current.document.image, image.beacon != before.beacon {
            document = .image(try placedLast(image, work.db))
        }
        try checkRoom(of: document, except: id, work)
        try edit(current, to: document, .edited, &work)
        return id
    }

    /// The edited image with the rank that it got meanwhile; nil if more than the rank has changed.
    private func merge(
        _ document: Document, _ seen: Int64, _ current: StoredDocument, _ db: Database
    ) throws -> Document? {
        guard case .image(var edited) = document, let now = current.document.image,
            var before = try? version(of: current.id, seen, db).image
        else { return nil }
        before.rank = now.rank
        guard before == now else { return nil }
        edited.rank = now.rank
        return .image(edited)
    }

    private func create(_ document: Document, _ id: DocumentID, ranked: Bool, _ work: inout Work) throws {
        var document = document
        if let image = document.image, image.rank == 0, !ranked { document = .image(try placedLast(image, work.db)) }
        try checkRoom(of: document, except: nil, work)
        let count = try work.documents ?? Int.fetchOne(work.db, sql: "SELECT count(*) FROM document") ?? 0
        guard count < limits.documents else {
            throw StoreError(
                .limit, "there are \(count) documents, which is the maximum", remedy: "empty the bin, or delete some")
        }
        work.documents = count + 1
        let facts = DocumentFacts(document, work.languages)
        let change = try work.change(.created, id, document.kind, facts.name)
        // A document that was deleted permanently and is imported again may still be published in an older version.
        let version =
            try Int64.fetchOne(
                work.db.cachedStatement(
                    sql: "SELECT coalesce(max(version), 0) + 1 FROM published_body WHERE document = ?"),
                arguments: [id.text]) ?? 1
        try work.item(change, id, before: nil, after: version)
        try work.db.cachedStatement(
            sql: """
                INSERT INTO document (id, kind, version, published_version, changed_at, changed_by, last_change, \
                state, name, sort_name, search, beacon, rank, identity, valid_from, valid_until) \
                VALUES (?, ?, ?, (SELECT version FROM member WHERE document = ?1 AND last IS NULL), ?, ?, ?, \
                'unpublished', ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.text, document.kind.rawValue, version, work.now.microseconds, work.author.name, change, facts.name,
                facts.sortName, facts.search, facts.beacon, facts.rank, facts.identity, facts.validFrom,
                facts.validUntil,
            ])
        try putBody(document, id, version, work.db.lastInsertedRowID, work)
        try refreshState(id, work.db)
        if let site = document.site { try apply(site, &work) }
    }

    /// Makes a body the next version of a document that is not in the bin, as an item of a change.
    ///
    /// - Parameter change: the number of a change; nil records a new change of this kind.
    func edit(
        _ current: StoredDocument, to document: Document, _ kind: Change.Kind, in change: Int64? = nil,
        _ work: inout Work
    ) throws {
        let facts = DocumentFacts(document, work.languages)
        try checkIdentity(facts.identity, of: document, except: current.id, work.db)
        let next = current.version + 1
        let change = try change ?? work.change(kind, current.id, document.kind, facts.name)
        try work.item(change, current.id, before: current.version, after: next)
        try work.db.cachedStatement(
            sql: """
                UPDATE document SET version = ?, changed_at = ?, changed_by = ?, last_change = ?, name = ?, \
                sort_name = ?, search = ?, beacon = ?, rank = ?, identity = ?, valid_from = ?, valid_until = ? \
                WHERE id = ?
                """
        ).execute(
            arguments: [
                next, work.now.microseconds, work.author.name, change, facts.name, facts.sortName, facts.search,
                facts.beacon, facts.rank, facts.identity, facts.validFrom, facts.validUntil, current.id.text,
            ])
        guard
            let number = try Int64.fetchOne(
                work.db.cachedStatement(sql: "SELECT number FROM document WHERE id = ?"), arguments: [current.id.text])
        else { throw StoreError.noDocument(current.id) }
        try putBody(document, current.id, next, number, work)
        try refreshState(current.id, work.db)
        if let site = document.site { try apply(site, &work) }
    }

    /// Lets the rest of the transaction follow the saved settings.
    private func apply(_ site: SiteDocument, _ work: inout Work) throws {
        work.maximumImages = site.maximumImages
        guard site.languages != work.languages else { return }
        try rename(site.languages, work.db)
        work.languages = site.languages
    }

    private func putBody(
        _ document: Document, _ id: DocumentID, _ version: Int64, _ number: Int64, _ work: Work
    ) throws {
        let body = try document.json()
        guard body.count <= limits.documentBytes else {
            throw StoreError(
                .limit, "it is too long: \(body.count) bytes of \(limits.documentBytes)", remedy: "shorten its texts")
        }
        try work.db.cachedStatement(sql: "INSERT INTO version (document, version, at, by, body) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [number, version, work.now.microseconds, work.author.name, Data(body)])
        try work.db.cachedStatement(sql: "DELETE FROM use WHERE document = ?").execute(arguments: [number])
        let insert = try work.db.cachedStatement(
            sql: "INSERT OR IGNORE INTO use (document, field, target) VALUES (?, ?, ?)")
        for reference in document.references {
            try insert.execute(arguments: [number, reference.field, reference.id.text])
        }
    }

    /// Updates the names of all documents: they depend on the site's default language.
    private func rename(_ languages: [Language], _ db: Database) throws {
        let update = try db.cachedStatement(sql: "UPDATE document SET name = ?, sort_name = ? WHERE id = ?")
        let rows = try Row.fetchCursor(db, sql: selectDocument)
        while let row = try rows.next() {
            let document = try stored(row)
            let facts = DocumentFacts(document.document, languages)
            try update.execute(arguments: [facts.name, facts.sortName, document.id.text])
        }
    }

    static func conflict(_ current: StoredDocument) -> StoreError {
        var error = StoreError(
            .conflict,
            current.isDeleted
                ? "\(current.changedBy) has deleted it meanwhile" : "\(current.changedBy) has changed it meanwhile",
            remedy: current.isDeleted
                ? "restore it from the bin, and save again" : "compare both versions, and save again")
        error.current = current
        return error
    }
}
