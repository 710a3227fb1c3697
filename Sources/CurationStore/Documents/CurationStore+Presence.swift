package import Curation
import Synchronization

extension CurationStore {
    /// Records that a person has a document open. The page reports this every 15 seconds.
    ///
    /// - Parameter page: an id of the open page, which the page chooses.
    /// - Returns: the names of others who have it open, and this account's own name if it is open in another page.
    package func notePresence(_ account: String, page: String, on document: DocumentID, at now: Moment) -> [String] {
        presence.withLock { $0.note(account, page: page, on: document, at: now) }
    }

    /// Records that a page was closed.
    package func endPresence(_ account: String, page: String, on document: DocumentID) {
        presence.withLock { $0.leave(account, page: page, on: document) }
    }

    /// The names of the people who have a document open.
    package func editors(of document: DocumentID, at now: Moment) -> [String] {
        presence.withLock { $0.editors(of: document, at: now) }
    }
}
