package import Curation

/// An action of a person or of the server, in the order in which they were made.
package struct Change: Hashable, Sendable {
    /// Increases with every change, and is never used again.
    package var number: Int64
    package var at: Moment
    /// The name of an account, which may no longer exist.
    package var by: String
    package var kind: Kind
    /// Nil if the change concerns no single document.
    package var document: DocumentID?
    package var documentKind: Document.Kind?
    /// The document's name at that time. For `emptied`, the number of deleted documents; for publishing, the note.
    package var name: String
    /// The versions of the document. Nil before: it did not exist. Nil after: it was put into the bin.
    package var before: Int64?
    package var after: Int64?
    /// The revision that was published.
    package var revision: Int64?
    /// The change that this one has undone.
    package var undoes: Int64?
    /// Whether it can be undone, because it is still the newest change of everything that it changed.
    package var canBeUndone: Bool

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case created, edited, reordered, deleted, restored, undone, emptied
        case published, scheduled
        case rolledBack = "rolled_back"
    }
}

/// A query for changes.
package struct ChangeQuery: Hashable, Sendable {
    package var document: DocumentID?
    /// The name of an account.
    package var by: String?
    package var kinds: Set<Change.Kind>
    /// Only changes with a lower number.
    package var before: Int64?
    package var limit: Int

    package init(
        document: DocumentID? = nil, by: String? = nil, kinds: Set<Change.Kind> = [], before: Int64? = nil,
        limit: Int = 50
    ) {
        self.document = document
        self.by = by
        self.kinds = kinds
        self.before = before
        self.limit = limit
    }
}
