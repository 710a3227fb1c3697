package import SiteFormat

/// What goes to make room, one manifest after another: what was not needed for the longest time first. Pure.
package struct EvictionPlan: Sendable {
    package struct Step: Hashable, Sendable {
        package var scope: ContentScope
        /// The assets that nothing else needs.
        package var assets: [AssetHash]
    }

    /// The next at the end.
    private var candidates: [(scope: ContentScope, assets: [AssetHash])]
    private var users: [AssetHash: Int] = [:]
    private let kept: Set<AssetHash>

    /// - Parameters:
    ///   - stored: the manifests that are there, with their assets.
    ///   - protected: what must stay.
    ///   - lastNeeded: when content was last needed, in seconds since 1970; what never was goes first.
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

    /// What goes next; nil where nothing is left that may go.
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
