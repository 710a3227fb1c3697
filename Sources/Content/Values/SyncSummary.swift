package import SiteFormat

/// How far a sync of the whole site is.
package struct SiteProgress: Hashable, Sendable {
    /// Manifests that are done, and all that the site has.
    package var manifests = 0
    package var totalManifests = 0
    /// Bytes of assets that are there, and that have to be fetched as far as is known: it grows with every
    /// manifest that is read.
    package var bytes: Int64 = 0
    package var totalBytes: Int64 = 0
    /// Assets that are complete, and to fetch as far as is known.
    package var assets = 0
    package var totalAssets = 0

    package init() {}
}

/// What a sync of the whole site has brought.
package struct SyncSummary: Sendable {
    /// Content that was not there before.
    package var new: [ContentScope] = []
    /// Content that has changed, or had lost files.
    package var updated: [ContentScope] = []
    /// Content that was there already, by number.
    package var unchanged = 0
    /// Content that the site does not have any more.
    package var deleted: [ContentScope] = []
    /// Content that could not be synced, and why.
    package var failed: [Failure] = []
    /// Content that was not tried any more, since the server failed too often in a row, by number.
    package var untried = 0
    /// Assets that were fetched, and the bytes that came over the network for them.
    package var fetchedAssets = 0
    package var transferredBytes: Int64 = 0
    /// The revision of the site list; nil where the site has none.
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

    /// Everything is as the site has it.
    package var isComplete: Bool { failed.isEmpty && untried == 0 }
}
