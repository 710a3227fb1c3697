package import Curation

/// A publication. It never changes.
package struct Revision: Hashable, Sendable {
    /// Counted from 1.
    package var number: Int64
    package var at: Moment
    /// The name of an account.
    package var by: String
    package var kind: Kind
    package var note: String
    /// For `rollback`: the revision that was published again.
    package var source: Int64?
    /// The number of its documents.
    package var documents: Int
    /// The number of documents that differ from the revision before.
    package var changed: Int
    /// False if it is too old to be read or published again.
    package var isKept: Bool

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case publication, rollback
        /// Made by the server, because content became valid or ceased to be valid.
        case schedule
    }
}

/// A document that differs from the current revision.
package struct PendingChange: Hashable, Sendable {
    package var id: DocumentID
    package var kind: Document.Kind
    package var name: String
    package var what: What
    /// The published version; nil for `added`.
    package var before: Int64?
    /// The draft's version; nil for `removed`.
    package var after: Int64?
    package var changedAt: Moment
    package var changedBy: String

    package enum What: String, Hashable, Sendable, Codable, CaseIterable {
        case added, changed, removed
    }
}

/// A use of a document.
package struct DocumentUse: Hashable, Sendable {
    /// The document that uses it.
    package var document: DocumentID
    package var kind: Document.Kind
    package var name: String
    /// The path in that document's JSON.
    package var field: String
    /// Whether that document is in the bin.
    package var isDeleted: Bool
}
