import Beacon
package import Curation

/// The people who have documents open, as their pages report every few seconds. So two editors are warned about each
/// other before they get into conflict. A pure value, kept only in memory.
package struct Presence: Sendable {
    private struct Key: Hashable {
        var document: DocumentID
        var account: String
        /// One page of a browser: the same person may have two pages open.
        var page: String
    }

    private var seen: [Key: Moment] = [:]

    /// A page that has not reported for this many seconds counts as closed.
    package static let seconds = 40.0
    private static let mostEntries = 2000

    package init() {}

    /// Records that a page is open.
    ///
    /// - Returns: the names of others who have the document open, and this account's own name if it is open in another
    ///   page.
    package mutating func note(_ account: String, page: String, on document: DocumentID, at now: Moment) -> [String] {
        let key = Key(document: document, account: account, page: String(page.prefix(40)))
        seen = seen.filter { abs(now.time.seconds(since: $0.value.time)) < Self.seconds }
        if seen.count < Self.mostEntries || seen[key] != nil { seen[key] = now }
        return Set(seen.keys.filter { $0.document == document && $0 != key }.map(\.account)).sorted()
    }

    /// Records that the page was closed.
    package mutating func leave(_ account: String, page: String, on document: DocumentID) {
        seen[Key(document: document, account: account, page: String(page.prefix(40)))] = nil
    }

    /// The names of the people who have the document open.
    package func editors(of document: DocumentID, at now: Moment) -> [String] {
        let open = seen.filter {
            $0.key.document == document && abs(now.time.seconds(since: $0.value.time)) < Self.seconds
        }
        return Set(open.keys.map(\.account)).sorted()
    }
}
