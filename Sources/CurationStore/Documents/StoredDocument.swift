package import Curation

/// A document as it is stored now.
package struct StoredDocument: Hashable, Sendable {
    package var id: DocumentID
    /// The number of saves, counted from 1; 0 for site settings that were never saved.
    package var version: Int64
    package var document: Document
    package var changedAt: Moment
    /// The name of an account.
    package var changedBy: String
    /// Whether it is in the bin.
    package var isDeleted: Bool
    /// When it was put into the bin.
    package var deletedAt: Moment?
    /// The version in the current revision; nil if it is not published.
    package var publishedVersion: Int64?
    package var state: State

    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// The current revision does not contain it.
        case unpublished
        /// The current revision contains exactly this body.
        case published
        /// The current revision contains another body of it.
        case changed
        /// It was deleted, but the current revision still contains it.
        case removed
    }
}

/// A query for documents of a kind.
package struct DocumentQuery: Hashable, Sendable {
    /// All words must occur, in any language, ignoring case and diacritics. Empty for all documents.
    package var text = ""
    package var state: StoredDocument.State?
    /// True for the documents in the bin, without those that were deleted with their beacon.
    package var isDeleted = false
    package var limit = 50
    package var offset = 0
    /// The page ends before the stored JSON of its documents exceeds this; it has one document at least.
    package var bytes: Int?
    package var order = Order.name

    package enum Order: String, Hashable, Sendable, CaseIterable {
        case name
        /// The last changed first.
        case changed
    }

    package init(
        text: String = "", state: StoredDocument.State? = nil, isDeleted: Bool = false, limit: Int = 50,
        offset: Int = 0, bytes: Int? = nil, order: Order = .name
    ) {
        self.text = text
        self.state = state
        self.isDeleted = isDeleted
        self.limit = limit
        self.offset = offset
        self.bytes = bytes
        self.order = order
    }
}

package struct DocumentPage: Hashable, Sendable {
    package var documents: [StoredDocument]
    /// The number of documents on all pages.
    package var total: Int
}
