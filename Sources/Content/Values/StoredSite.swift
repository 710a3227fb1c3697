package import SiteFormat

/// The stored site list, as far as it may be used.
package enum StoredSite: Sendable {
    /// The site has no list: manifests are found by their paths.
    case none
    case list(SiteList, AssetHash)
    /// There is none that is signed, though there must be.
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
