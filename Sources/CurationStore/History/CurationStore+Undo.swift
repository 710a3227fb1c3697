package import Curation
import GRDB

extension CurationStore {
    /// Takes a change back, with everything that it did. That is a change too, and can be taken back.
    ///
    /// - Throws: `conflict` if something that it changed was changed again since, with the document as it is now;
    ///   `invalid` if such a change cannot be taken back; `notFound`; what saving throws.
    package func undo(_ number: Int64, by author: Author, at now: Moment) async throws(StoreError) -> Change {
        try await write { db in
            var work = try Work(self, db, author, now)
            let change = try Self.change(number, db)
            let items = try Row.fetchAll(
                db,
                // A beacon before its images, which go and come back with it.
                sql: """
                    SELECT document, before, after FROM change_item WHERE change = ? \
                    ORDER BY document <> ?, document
                    """, arguments: [number, change.document?.text ?? ""])
            guard !items.isEmpty else {
                let isRevision = change.revision != nil
                throw StoreError(
                    .invalid, isRevision ? "a publication is not taken back" : "what was deleted for good is gone",
                    remedy: isRevision ? "publish an earlier revision again" : "restore a backup")
            }
            let undo = try work.change(.undone, change.document, change.documentKind, change.name, undoes: number)
            for item in items { try self.undo(item, of: number, in: undo, &work) }
            return try Self.change(undo, db)
        }
    }

    private func undo(_ item: Row, of number: Int64, in undo: Int64, _ work: inout Work) throws {
        let id = try item.id("document")
        let last = try Int64.fetchOne(
            work.db, sql: "SELECT last_change FROM document WHERE id = ?", arguments: [id.text])
        // An earlier item of this change may have had it as its companion: a beacon's images.
        if last == undo { return }
        let current = try require(id, work.db)
        guard last == number else { throw Self.conflict(current) }
        switch (item.optionalInteger("before"), item.optionalInteger("after")) {
        case (let before?, _?):
            let body = try version(of: id, before, work.db)
            try checkRoom(of: body, except: id, work)
            try edit(current, to: body, .undone, in: undo, &work)
        // Before the settings were saved for the first time, there were those of every new site.
        case (nil, _?) where id == .site: try edit(current, to: .site(SiteDocument()), .undone, in: undo, &work)
        case (nil, _?): try bin(current, with: nil, in: undo, work)
        case (_?, nil):
            // Its beacon brings it back; alone it could not find the beacon.
            if try companion(id, work.db) { return }
            try bringBack(current, in: undo, work)
        case (nil, nil): break
        }
    }

    private func companion(_ id: DocumentID, _ db: Database) throws -> Bool {
        try Int.fetchOne(
            db, sql: "SELECT 1 FROM document WHERE id = ? AND deleted_with IS NOT NULL", arguments: [id.text]) != nil
    }
}
