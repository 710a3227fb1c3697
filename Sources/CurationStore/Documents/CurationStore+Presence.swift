package import Curation
import Synchronization

extension CurationStore {
    /// Notes that somebody has a document open, as the page reports every 15 seconds.
    ///
    /// - Parameter page: names the open page, chosen by it.
    /// - Returns: the names of others who have it open; this account's own too if it is open in another page.
    package func notePresence(_ account: String, page: String, on document: DocumentID, at now: Moment) -> [String] {
        presence.withLock { $0.note(account, page: page, on: document, at: now) }
    }

    /// Notes that a page was closed.
    package func endPresence(_ account: String, page: String, on document: DocumentID) {
        presence.withLock { $0.leave(account, page: page, on: document) }
    }

    /// The names of those who have a document open.
    package func editors(of document: DocumentID, at now: Moment) -> [String] {
        presence.withLock { $0.editors(of: document, at: now) }
    }
}
