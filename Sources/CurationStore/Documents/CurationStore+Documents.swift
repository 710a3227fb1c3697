package import Beacon
package import Curation
import GRDB

extension CurationStore {
    /// A document, including those in the bin.
    ///
    /// - Throws: `notFound`.
    package func document(_ id: DocumentID) async throws(StoreError) -> StoredDocument {
        try await read { db in
            if id == .site { return try self.storedSite(db) }
            return try self.require(id, db)
        }
    }

    /// The documents with these ids. Documents that do not exist are missing in the result.
    package func documents(_ ids: Set<DocumentID>) async throws(StoreError) -> [DocumentID: StoredDocument] {
        try await read { db in
            var found: [DocumentID: StoredDocument] = [:]
            for id in ids { found[id] = try self.find(id, db) }
            return found
        }
    }

    /// One page of the documents of a kind.
    package func documents(
        _ kind: Document.Kind, _ query: DocumentQuery = DocumentQuery()
    ) async throws(StoreError) -> DocumentPage {
        try await read { db in
            var conditions = ["d.kind = ?", query.isDeleted ? "d.deleted_at IS NOT NULL" : "d.deleted_at IS NULL"]
            var arguments: StatementArguments = [kind.rawValue]
            if query.isDeleted { conditions.append("d.deleted_with IS NULL") }
            if let state = query.state {
                conditions.append("d.state = ?")
                arguments += [state.rawValue]
            }
            for word in SearchText.words(query.text) {
                conditions.append("instr(d.search, ?) > 0")
                arguments += [word]
            }
            let condition = conditions.joined(separator: " AND ")
            let order =
                switch query.order {
                case .name: "d.sort_name, d.id"
                case .changed: "d.changed_at DESC, d.id"
                }
            let total = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT count(*) FROM document d WHERE \(condition)"), arguments: arguments)
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: "\(selectDocument) WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?"),
                arguments: arguments + [max(0, query.limit), max(0, query.offset)])
            var documents: [StoredDocument] = []
            var bytes = 0
            while let row = try rows.next() {
                if let most = query.bytes {
                    bytes += try row.bytes("body").count
                    guard documents.isEmpty || bytes <= most else { break }
                }
                documents.append(try self.stored(row))
            }
            return DocumentPage(documents: documents, total: total ?? 0)
        }
    }

    /// The images of a beacon in their order, without those in the bin; with nil, the images without a beacon.
    package func images(of beacon: DocumentID?) async throws(StoreError) -> [StoredDocument] {
        try await read { db in try self.images(of: beacon, db) }
    }

    func images(of beacon: DocumentID?, _ db: Database) throws -> [StoredDocument] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    \(selectDocument) WHERE d.kind = 'image' AND d.beacon IS ? AND d.deleted_at IS NULL \
                    ORDER BY d.rank, d.sort_name, d.id
                    """), arguments: [beacon?.text])
        var documents: [StoredDocument] = []
        while let row = try rows.next() { documents.append(try stored(row)) }
        return documents
    }

    /// The number of images of each beacon, without those in the bin. Beacons without images have no entry. The key nil
    /// is for images without a beacon.
    package func imageCounts() async throws(StoreError) -> [DocumentID?: Int] {
        try await read { db in try self.countImages(db) }
    }

    /// The beacon with this identity that is not in the bin; nil if there is none.
    package func beacon(_ identity: BeaconID) async throws(StoreError) -> StoredDocument? {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: "\(selectDocument) WHERE d.identity = ? AND d.deleted_at IS NULL")
            return try Row.fetchOne(statement, arguments: ["\(identity)"]).map(self.stored)
        }
    }

    /// The media document of the file with this SHA-256, even if it is in the bin; nil if there is none.
    package func media(named hash: String) async throws(StoreError) -> StoredDocument? {
        try await read { db in
            let statement = try db.cachedStatement(sql: "\(selectDocument) WHERE d.identity = ? AND d.kind = 'media'")
            return try Row.fetchOne(statement, arguments: [hash]).map(self.stored)
        }
    }

    /// The site's settings. The version is 0 if they were never saved.
    package func site() async throws(StoreError) -> StoredDocument {
        try await read { db in try self.storedSite(db) }
    }

    private func storedSite(_ db: Database) throws -> StoredDocument {
        try find(.site, db)
            ?? StoredDocument(
                id: .site, version: 0, document: .site(SiteDocument()), changedAt: Moment(microseconds: 0),
                changedBy: "", isDeleted: false, state: .unpublished)
    }

    /// An older body of a document.
    ///
    /// - Throws: `notFound`, also if the version is too old to be kept.
    package func version(of id: DocumentID, _ number: Int64) async throws(StoreError) -> Document {
        try await read { db in try self.version(of: id, number, db) }
    }

    func version(of id: DocumentID, _ number: Int64, _ db: Database) throws -> Document {
        let statement = try db.cachedStatement(
            sql: """
                SELECT d.kind, v.version, v.at, v.body FROM document d JOIN version v ON v.document = d.number \
                WHERE d.id = ? AND v.version = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [id.text, number]) else {
            throw StoreError(
                .notFound, "version \(number) of \(id) is not kept", remedy: "choose a newer one from the history")
        }
        return try body(row, id, try row.value("kind", as: Document.Kind.self))
    }
}
