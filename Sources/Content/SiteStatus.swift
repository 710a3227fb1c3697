/// How the site and the store are now.
public struct SiteStatus: Hashable, Sendable {
    /// The revision of the list in force; nil where there is no list.
    public var revision: Int64?
    /// What is wrong, in one line; nil where nothing is.
    public var problem: String?
    /// Files that were fetched since the sync client was made, for whatever reason, and the bytes that came over the
    /// network for them.
    public var fetchedFiles = 0
    public var fetchedBytes: Int64 = 0

    public init() {}
}

/// What somebody has said is meant, though it looks like a mistake.
public struct SiteAcceptance: OptionSet, Hashable, Sendable {
    public var rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The site's list may remove more than half of what there is, at once.
    public static var removals: Self { Self(rawValue: 1) }
    /// The site's list may have any revision: a lower one, or one that is far higher.
    public static var revision: Self { Self(rawValue: 2) }
}
