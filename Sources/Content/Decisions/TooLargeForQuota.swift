package import SiteFormat

/// Listed manifests that were read and did not fit below the quota. They are asked for again only where they would fit
/// now, since neither they nor their assets change while the list has the same hash. Pure.
package struct TooLargeForQuota: Sendable {
    /// A manifest, as it was read.
    package struct Known: Sendable {
        package var sha256: AssetHash
        /// What is written for the manifest itself, in bytes.
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
    /// The list that they belong to.
    private var list: AssetHash?

    /// More are not remembered, and asked for again.
    package static let maximumManifests = 16384
    /// Of all manifests together.
    package static let maximumAssets = 131_072

    package init() {}

    /// What is known of the manifest with this hash; nil if nothing is.
    package func known(_ scope: ContentScope, _ sha256: AssetHash) -> Known? {
        manifests[scope].flatMap { $0.sha256 == sha256 ? $0 : nil }
    }

    /// It did not fit.
    package mutating func note(_ scope: ContentScope, _ new: Known) {
        forget(scope)
        guard manifests.count < Self.maximumManifests, new.assets.count <= Self.maximumAssets - assets else { return }
        manifests[scope] = new
        assets += new.assets.count
    }

    /// It has fitted, or there is another one.
    package mutating func forget(_ scope: ContentScope) {
        if let old = manifests.removeValue(forKey: scope) { assets -= old.assets.count }
    }

    /// What another list does not have is forgotten.
    package mutating func keep(of list: AssetHash?, where isListed: (ContentScope, AssetHash) -> Bool) {
        guard list != self.list else { return }
        self.list = list
        manifests = manifests.filter { isListed($0.key, $0.value.sha256) }
        assets = manifests.values.reduce(0) { $0 + $1.assets.count }
    }
}
