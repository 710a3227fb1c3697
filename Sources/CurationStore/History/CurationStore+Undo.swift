package import Curation
import GRDB

extension CurationStore {
    /// Undoes a change with all of its effects. This is also a change, and can be undone.
    ///
    /// - Throws: `conflict` if something that it changed was changed again, with the document as it is now; `invalid`
    ///   if
    ///   such a change cannot be undone; `notFound`; the errors of saving.
    package func undo(_ number: Int64, by author: Author, at now: Moment) async throws(StoreError) -> Change {
        try await write { db in
            var work = try Work(self, db, author, now)
            let change = try Self.change(number, db)
            let items = try Row.fetchAll(
                db,
                // A beacon comes before its images, because they are deleted and restored with it.
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
        // An earlier item of this change may have included it, as an image of its beacon.
        if last == undo { return }
        let current = try require(id, work.db)
        guard last == number else { throw Self.conflict(current) }
        switch (item.optionalInteger("before"), item.optionalInteger("after")) {
        case (let before?, _?):
            let body = try version(of: id, before, work.db)
            try checkRoom(of: body, except: id, work)
            try edit(current, to: body, .undone, in: undo, &work)
        // Before the settings were first saved, the site had the default settings.
        case (nil, _?) where id == .site: try edit(current, to: .site(SiteDocument()), .undone, in: undo, &work)
        case (nil, _?): try bin(current, with: nil, in: undo, work)
        case (_?, nil):
            // Its beacon brings it back. Without the beacon it could not be restored.
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
