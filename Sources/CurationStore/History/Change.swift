package import Curation

/// Something that somebody did, in the order in which it was done.
package struct Change: Hashable, Sendable {
    /// Counts up, and is never given again.
    package var number: Int64
    package var at: Moment
    /// An account's name, also of one that does not exist any more.
    package var by: String
    package var kind: Kind
    /// Nil where it concerns no single document.
    package var document: DocumentID?
    package var documentKind: Document.Kind?
    /// The document's name at that time; for `emptied` how many documents went; for publishing the note.
    package var name: String
    /// The document's version before and after; nil before: it was not there; nil after: it went into the bin.
    package var before: Int64?
    package var after: Int64?
    /// The revision that was published.
    package var revision: Int64?
    /// The change that this one took back.
    package var undoes: Int64?
    /// Whether it is still the newest change of everything that it changed, so that it can be undone.
    package var canBeUndone: Bool

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case created, edited, reordered, deleted, restored, undone, emptied
        case published, scheduled
        case rolledBack = "rolled_back"
    }
}

/// Which changes are wanted.
package struct ChangeQuery: Hashable, Sendable {
    package var document: DocumentID?
    /// An account's name.
    package var by: String?
    package var kinds: Set<Change.Kind>
    /// Only those with a lower number.
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
