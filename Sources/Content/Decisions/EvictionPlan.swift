package import SiteFormat

/// The order in which manifests are removed to make room: first those that were not needed for the longest time. Pure.
package struct EvictionPlan: Sendable {
    package struct Step: Hashable, Sendable {
        package var scope: ContentScope
        /// The assets that nothing else needs.
        package var assets: [AssetHash]
    }

    /// The next one is at the end.
    private var candidates: [(scope: ContentScope, assets: [AssetHash])]
    private var users: [AssetHash: Int] = [:]
    private let kept: Set<AssetHash>

    /// - Parameters:
    ///   - stored: the stored manifests, with their assets.
    ///   - protected: manifests that must stay.
    ///   - lastNeeded: when content was last needed, in seconds since 1970. Content without an entry is removed first.
    ///   - kept: assets that running syncs need.
    package init(
        _ stored: [(scope: ContentScope, assets: [AssetHash])], protected: Set<ContentScope>,
        lastNeeded: [ContentScope: Int64], kept: Set<AssetHash>
    ) {
        for manifest in stored {
            for asset in manifest.assets { users[asset, default: 0] += 1 }
        }
        self.kept = kept
        candidates = stored.filter { !protected.contains($0.scope) }
            .sorted { (lastNeeded[$1.scope] ?? 0, $1.scope) < (lastNeeded[$0.scope] ?? 0, $0.scope) }
    }

    /// The next manifest to remove; nil if none is left that may be removed.
    package mutating func next() -> Step? {
        guard let candidate = candidates.popLast() else { return nil }
        var unneeded: [AssetHash] = []
        for asset in candidate.assets {
            users[asset, default: 1] -= 1
            if users[asset] == 0, !kept.contains(asset) { unneeded.append(asset) }
        }
        return Step(scope: candidate.scope, assets: unneeded)
    }
}
