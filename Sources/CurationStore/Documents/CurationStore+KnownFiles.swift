package import Curation
import GRDB

extension CurationStore {
    /// The documents of an import without those files that the library has under other ids. The other documents use the
    /// library's instead.
    package func withoutKnownFiles(
        _ documents: [DocumentID: Document]
    ) async throws(StoreError) -> [DocumentID: Document] {
        let known = try await knownFiles(of: documents)
        guard !known.isEmpty else { return documents }
        return documents.filter { known[$0.key] == nil }.mapValues { document in
            document.mappingFiles { known[$0] ?? $0 }
        }
    }

    /// The library's ids of those files that have other ids in an import. What lies in the bin does not count.
    private func knownFiles(
        of documents: [DocumentID: Document]
    ) async throws(StoreError) -> [DocumentID: DocumentID] {
        try await read { db in
            let find = try db.cachedStatement(
                sql: """
                    SELECT id FROM document WHERE identity = ? AND kind = 'media' AND deleted_at IS NULL AND id <> ?
                    """)
            var known: [DocumentID: DocumentID] = [:]
            for (id, document) in documents {
                guard document.media != nil, let identity = document.identity,
                    let row = try Row.fetchOne(find, arguments: [identity, id.text])
                else { continue }
                let other = try row.id("id")
                // The import may give that document another file.
                guard documents[other].map({ $0.identity == identity }) ?? true else { continue }
                known[id] = other
            }
            return known
        }
    }
}
