package import Curation
import GRDB

extension CurationStore {
    /// The uses of a document, sorted by name, including those in documents in the bin, which may be restored.
    package func uses(of id: DocumentID) async throws(StoreError) -> [DocumentUse] {
        try await read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT d.id, d.kind, d.name, d.deleted_at, u.field FROM use u \
                        JOIN document d ON d.number = u.document WHERE u.target = ? \
                        ORDER BY d.deleted_at IS NOT NULL, d.kind, d.sort_name, d.id, u.field
                        """), arguments: [id.text])
            var uses: [DocumentUse] = []
            while let row = try rows.next() {
                uses.append(
                    DocumentUse(
                        document: try row.id("id"), kind: try row.value("kind", as: Document.Kind.self),
                        name: try row.text("name"), field: try row.text("field"),
                        isDeleted: row.optionalInteger("deleted_at") != nil))
            }
            return uses
        }
    }
}
