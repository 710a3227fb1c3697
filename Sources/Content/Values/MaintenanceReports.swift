package import SiteFormat

/// What `verify` has found.
package struct VerifyReport: Hashable, Sendable {
    /// Assets that were read, and their bytes.
    package var assets = 0
    package var bytes: Int64 = 0
    /// Assets whose bytes are not what their name says.
    package var damagedAssets: [AssetHash] = []
    /// Documents that cannot be read, or a site list that is not signed as it must be: their files.
    package var damagedDocuments: [String] = []
    /// Assets that a manifest needs and that are not there, or are damaged.
    package var missingAssets: [AssetHash] = []
    /// Damaged assets and manifests were removed, so that the next sync fetches them again.
    package var isRepaired = false

    package init() {}

    /// Nothing is wrong.
    package var isClean: Bool {
        damagedAssets.isEmpty && damagedDocuments.isEmpty && missingAssets.isEmpty
    }
}

/// What `prune` has removed.
package struct PruneReport: Hashable, Sendable {
    /// Assets that no manifest needs, with unfinished ones, and their bytes.
    package var assets = 0
    package var bytes: Int64 = 0
    /// Manifests of beacons that the site does not have any more.
    package var documents = 0

    package init() {}
}
