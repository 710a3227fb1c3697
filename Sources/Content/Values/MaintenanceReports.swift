package import SiteFormat

/// The results of `verify`.
package struct VerifyReport: Hashable, Sendable {
    /// The number of assets that were read, and their size in bytes.
    package var assets = 0
    package var bytes: Int64 = 0
    /// Assets whose content does not match their name.
    package var damagedAssets: [AssetHash] = []
    /// The files of documents that cannot be read, or of a site list without a required valid signature.
    package var damagedDocuments: [String] = []
    /// Assets that a manifest needs and that are missing; after a repair also those that it removed.
    package var missingAssets: [AssetHash] = []
    /// The file of the site's list, if that was fetched and is gone.
    package var missingDocuments: [String] = []
    /// How many manifests that the site's list names are not stored: they were not fetched yet, the settings or the
    /// quota keep them out, or they are gone. The store cannot tell which.
    package var notStored = 0
    /// Damaged assets and manifests were removed, so that the next sync fetches them again.
    package var isRepaired = false

    package init() {}

    /// Whether nothing that is stored is wrong, and no stored manifest lacks an asset.
    package var isClean: Bool {
        damagedAssets.isEmpty && damagedDocuments.isEmpty && missingAssets.isEmpty
    }

    /// Whether, besides, the site's list is there.
    package var isComplete: Bool { isClean && missingDocuments.isEmpty }
}

/// What `prune` has removed.
package struct PruneReport: Hashable, Sendable {
    /// The number of assets that no manifest needs, including unfinished ones, and their size in bytes.
    package var assets = 0
    package var bytes: Int64 = 0
    /// The number of manifests of beacons that the site no longer has.
    package var documents = 0

    package init() {}
}
