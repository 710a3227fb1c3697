package import SiteFormat

/// The progress of a sync of the whole site.
package struct SiteProgress: Hashable, Sendable {
    /// The number of manifests that are done, and of all that the site has.
    package var manifests = 0
    package var totalManifests = 0
    /// Bytes of assets that were fetched, and that have to be fetched as far as is known. The total grows with every
    /// manifest that is read.
    package var bytes: Int64 = 0
    package var totalBytes: Int64 = 0
    /// Assets that are complete, and that have to be fetched as far as is known.
    package var assets = 0
    package var totalAssets = 0

    package init() {}
}

/// The results of a sync of the whole site.
package struct SyncSummary: Sendable {
    /// Content that was not stored before.
    package var new: [ContentScope] = []
    /// Content that has changed, or whose files were lost.
    package var updated: [ContentScope] = []
    /// The number of manifests whose content was already complete.
    package var unchanged = 0
    /// Content that the site no longer has.
    package var deleted: [ContentScope] = []
    /// Content that could not be synced, and why.
    package var failed: [Failure] = []
    /// The number of manifests that were not tried, because the sync stopped early, for example after several failures
    /// of the server in a row.
    package var untried = 0
    /// The number of fetched assets, and the bytes that were transferred for them.
    package var fetchedAssets = 0
    package var transferredBytes: Int64 = 0
    /// The revision of the site list; nil if the site has none.
    package var revision: Int64?

    package init() {}

    /// Content that could not be synced.
    package struct Failure: Hashable, Sendable {
        package var scope: ContentScope
        package var error: ContentError

        package init(scope: ContentScope, error: ContentError) {
            self.scope = scope
            self.error = error
        }
    }

    /// Whether the stored content is the same as the site's.
    package var isComplete: Bool { failed.isEmpty && untried == 0 }
}
