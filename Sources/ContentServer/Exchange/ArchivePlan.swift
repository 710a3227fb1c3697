package import Curation
package import CurationStore

/// What importing an archive would change.
package struct ArchivePlan: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package var id: DocumentID
        package var after: Document
        package var what: What
    }

    package enum What: String, Hashable, Sendable, CaseIterable {
        case added, changed
        /// It comes out of the bin.
        case restored
    }

    /// By name of the document.
    package var changes: [Change] = []
    /// Documents that are in the archive as they are here, and files that the library has under other ids.
    package var unchanged = 0
    /// Files that the library does not have.
    package var files: Int

    package init(_ documents: [DocumentID: Document], over current: [DocumentID: StoredDocument], files: Int) {
        self.files = files
        for (id, document) in documents.sorted(by: { $0.key < $1.key }) {
            guard let stored = current[id] else {
                changes.append(Change(id: id, after: document, what: .added))
                continue
            }
            if stored.isDeleted {
                changes.append(Change(id: id, after: document, what: .restored))
            } else if stored.document != document {
                changes.append(Change(id: id, after: document, what: .changed))
            } else {
                unchanged += 1
            }
        }
    }
}
