package import Curation

/// A document as the store has it now.
package struct StoredDocument: Hashable, Sendable {
    package var id: DocumentID
    /// Counts its saves from 1; 0 for site settings that were never saved.
    package var version: Int64
    package var document: Document
    package var changedAt: Moment
    /// An account's name.
    package var changedBy: String
    /// It lies in the bin.
    package var isDeleted: Bool
    /// When it was put into the bin.
    package var deletedAt: Moment?
    /// The version that the current revision has; nil if it has none.
    package var publishedVersion: Int64?
    package var state: State

    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// No current revision has it.
        case unpublished
        /// The current revision has just this.
        case published
        /// The current revision has something else under this name.
        case changed
        /// It was deleted, and the current revision still has it.
        case removed
    }
}

/// Which documents of a kind are wanted.
package struct DocumentQuery: Hashable, Sendable {
    /// Every word must occur, in any language; without regard to case and diacritics. Empty: all.
    package var text = ""
    package var state: StoredDocument.State?
    /// True: those in the bin, without those that went with their beacon.
    package var isDeleted = false
    package var limit = 50
    package var offset = 0
    package var order = Order.name

    package enum Order: String, Hashable, Sendable, CaseIterable {
        case name
        /// The last changed first.
        case changed
    }

    package init(
        text: String = "", state: StoredDocument.State? = nil, isDeleted: Bool = false, limit: Int = 50,
        offset: Int = 0, order: Order = .name
    ) {
        self.text = text
        self.state = state
        self.isDeleted = isDeleted
        self.limit = limit
        self.offset = offset
        self.order = order
    }
}

package struct DocumentPage: Hashable, Sendable {
    package var documents: [StoredDocument]
    /// Of all pages.
    package var total: Int
}
