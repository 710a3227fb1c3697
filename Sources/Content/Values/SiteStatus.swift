package import SiteFormat

/// How the site and the store are now.
package struct SiteStatus: Hashable, Sendable {
    /// The revision of the list in force; nil where there is no list.
    package var revision: Int64?
    /// Where the list in force takes reports of devices; nil where it does not.
    package var reports: ManifestPath?
    /// What is wrong, in one line; nil where nothing is.
    package var problem: String?
    /// Files that were fetched since the sync client was made, for whatever reason, and the bytes that came over the
    /// network for them.
    package var fetchedFiles = 0
    package var fetchedBytes: Int64 = 0

    package init() {}
}

/// What somebody has said is meant, though it looks like a mistake.
package struct SiteAcceptance: OptionSet, Hashable, Sendable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The site's list may remove more than half of what there is, at once.
    package static var removals: Self { Self(rawValue: 1) }
    /// The site's list may have any revision: a lower one, or one that is far higher.
    package static var revision: Self { Self(rawValue: 2) }
}
