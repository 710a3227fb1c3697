package import SiteFormat

/// The stored site list, if it may be used.
package enum StoredSite: Sendable {
    /// The site has no list. Manifests are found by their paths.
    case none
    case list(SiteList, AssetHash)
    /// A signed list is required, and there is none with a valid signature.
    case untrusted

    package var list: SiteList? {
        if case .list(let list, _) = self { list } else { nil }
    }

    var hash: AssetHash? {
        if case .list(_, let hash) = self { hash } else { nil }
    }

    /// Whether a manifest of this scope may be shown.
    func shows(_ scope: ContentScope) -> Bool {
        switch self {
        case .none: true
        case .list(let list, _): list.entries[scope] != nil
        case .untrusted: false
        }
    }
}
