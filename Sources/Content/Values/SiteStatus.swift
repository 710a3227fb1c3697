package import SiteFormat

/// The current state of the site and the store.
package struct SiteStatus: Hashable, Sendable {
    /// The revision of the current list; nil without a list.
    package var revision: Int64?
    /// Whether the site has answered since the sync client was created. Before that, the revision is that of the stored
    /// list, and it is unknown whether the site asks for reports.
    package var hasAnswered = false
    /// The path to which devices send their reports, according to the current list; nil if it has none.
    package var reports: ManifestPath?
    /// The problem in one line; nil if there is none.
    package var problem: String?
    /// The number of files that were fetched since the sync client was created, and the bytes that were transferred for
    /// them.
    package var fetchedFiles = 0
    package var fetchedBytes: Int64 = 0

    package init() {}
}

/// Changes that look like a mistake, but that somebody has confirmed as intended.
package struct SiteAcceptance: OptionSet, Hashable, Sendable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The site's list may remove more than half of the content at once.
    package static var removals: Self { Self(rawValue: 1) }
    /// The site's list may have any revision: a lower one, or a much higher one.
    package static var revision: Self { Self(rawValue: 2) }
}
