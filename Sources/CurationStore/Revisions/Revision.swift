package import Curation

/// A publication. It is never changed.
package struct Revision: Hashable, Sendable {
    /// Counts up from 1.
    package var number: Int64
    package var at: Moment
    /// An account's name.
    package var by: String
    package var kind: Kind
    package var note: String
    /// With `rollback`: the revision that was published again.
    package var source: Int64?
    /// How many documents it has.
    package var documents: Int
    /// How many documents are others than in the revision before.
    package var changed: Int
    /// False: it is too old to be read or published again.
    package var isKept: Bool

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case publication, rollback
        /// Made by itself when content began or ended to be valid.
        case schedule
    }
}

/// A document that is not as the current revision has it.
package struct PendingChange: Hashable, Sendable {
    package var id: DocumentID
    package var kind: Document.Kind
    package var name: String
    package var what: What
    /// The published version; nil with `added`.
    package var before: Int64?
    /// The draft's version; nil with `removed`.
    package var after: Int64?
    package var changedAt: Moment
    package var changedBy: String

    package enum What: String, Hashable, Sendable, Codable, CaseIterable {
        case added, changed, removed
    }
}

/// A place where a document is used.
package struct DocumentUse: Hashable, Sendable {
    /// The document that uses it.
    package var document: DocumentID
    package var kind: Document.Kind
    package var name: String
    /// The path in that document's JSON.
    package var field: String
    /// It lies in the bin.
    package var isDeleted: Bool
}
