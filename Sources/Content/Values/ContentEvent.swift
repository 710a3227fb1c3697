package import Beacon
package import SiteFormat

/// Events of the sync client. The beacon is the one that was wanted; nil means that no beacon is near.
///
/// Progress may be dropped if the reader is slow; the newest of each beacon is kept. Other events are never dropped.
package enum ContentEvent: Sendable {
    /// A sync has begun. Not sent for retries and silent revalidations.
    case started(BeaconID?)
    /// Assets are being fetched.
    case progress(BeaconID?, ContentProgress)
    /// The beacon's content is complete on the disk and confirmed by the server.
    case ready(BeaconID?, ContentSummary)
    /// The site has no content for the beacon.
    case nothing(BeaconID?)
    /// Syncing failed. Sent once, even if retries continue to fail; `recovered` ends it. `stillHasOld`: older content
    /// for the beacon is stored and stays usable.
    case failed(BeaconID?, ContentError, stillHasOld: Bool)
    /// The failure that was reported before still lasts, and keeps this beacon's content from being synced. Sent once
    /// for each beacon.
    case waiting(BeaconID?, stillHasOld: Bool)
    /// The failure that was reported before has ended. `ready` or `nothing` follows.
    case recovered(BeaconID?)

    /// The beacon that the event is about.
    package var beacon: BeaconID? {
        switch self {
        case .started(let beacon), .progress(let beacon, _), .ready(let beacon, _), .nothing(let beacon),
            .failed(let beacon, _, _), .waiting(let beacon, _), .recovered(let beacon):
            beacon
        }
    }
}

/// The progress of a sync. It counts only what has to be fetched, not what was already stored.
package struct ContentProgress: Hashable, Sendable {
    /// Bytes received, and bytes to receive in total.
    package var bytes: Int64
    package var totalBytes: Int64
    /// Assets completed, and assets to fetch in total.
    package var assets: Int
    package var totalAssets: Int

    package init(bytes: Int64, totalBytes: Int64, assets: Int, totalAssets: Int) {
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.assets = assets
        self.totalAssets = totalAssets
    }
}

/// The result of a complete sync.
package struct ContentSummary: Hashable, Sendable {
    /// The name for people; nil if the site gives none.
    package var name: String?
    /// The scope of the manifest; it may be wider than the beacon.
    package var scope: ContentScope
    /// The number of fetched assets, and their size in bytes.
    package var fetchedAssets: Int
    package var fetchedBytes: Int64
    /// The number of all assets of the content, and their size in bytes.
    package var assets: Int
    package var bytes: Int64
    /// The manifest is the same as the stored one.
    package var unchanged: Bool

    package init(
        name: String? = nil, scope: ContentScope, fetchedAssets: Int, fetchedBytes: Int64, assets: Int, bytes: Int64,
        unchanged: Bool
    ) {
        self.name = name
        self.scope = scope
        self.fetchedAssets = fetchedAssets
        self.fetchedBytes = fetchedBytes
        self.assets = assets
        self.bytes = bytes
        self.unchanged = unchanged
    }
}
