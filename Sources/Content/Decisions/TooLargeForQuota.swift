package import SiteFormat

/// Listed manifests that were read and did not fit into the quota. They are requested again only if they would fit now,
/// because neither they nor their assets change while the list has the same hash. Pure.
package struct TooLargeForQuota: Sendable {
    /// A manifest that was read.
    package struct Known: Sendable {
        package var sha256: AssetHash
        /// The bytes to be written for the manifest itself.
        package var bytes: Int
        package var assets: [ManifestAsset]

        package init(sha256: AssetHash, bytes: Int, assets: [ManifestAsset]) {
            self.sha256 = sha256
            self.bytes = bytes
            self.assets = assets
        }
    }

    private var manifests: [ContentScope: Known] = [:]
    private var assets = 0
    /// The list that the manifests belong to.
    private var list: AssetHash?

    /// With more than this, further manifests are not remembered, and they are requested again.
    package static let maximumManifests = 16384
    /// The limit for all manifests together.
    package static let maximumAssets = 131_072

    package init() {}

    /// The manifest with this hash, if it is remembered; otherwise nil.
    package func known(_ scope: ContentScope, _ sha256: AssetHash) -> Known? {
        manifests[scope].flatMap { $0.sha256 == sha256 ? $0 : nil }
    }

    /// Remembers a manifest that did not fit.
    package mutating func note(_ scope: ContentScope, _ new: Known) {
        forget(scope)
        guard manifests.count < Self.maximumManifests, new.assets.count <= Self.maximumAssets - assets else { return }
        manifests[scope] = new
        assets += new.assets.count
    }

    /// Forgets a manifest, because it fitted or was replaced.
    package mutating func forget(_ scope: ContentScope) {
        if let old = manifests.removeValue(forKey: scope) { assets -= old.assets.count }
    }

    /// Forgets the manifests that are not in the given list.
    package mutating func keep(of list: AssetHash?, where isListed: (ContentScope, AssetHash) -> Bool) {
        guard list != self.list else { return }
        self.list = list
        manifests = manifests.filter { isListed($0.key, $0.value.sha256) }
        assets = manifests.values.reduce(0) { $0 + $1.assets.count }
    }
}
