package import Beacon
package import SiteFormat

/// What the sync client tells. The beacon is the one that was wanted; nil means "no beacon is near".
///
/// Progress may be dropped where the reader is slow (the newest of each beacon stays); the rest never is.
package enum ContentEvent: Sendable {
    /// A sync has begun. Retries and silent revalidations do not tell it again.
    case started(BeaconID?)
    /// Assets are being fetched.
    case progress(BeaconID?, ContentProgress)
    /// The beacon's content is complete on the disk and confirmed by the server.
    case ready(BeaconID?, ContentSummary)
    /// The site has no content for it.
    case nothing(BeaconID?)
    /// Syncing failed. Told once, also when retries go on failing; `recovered` ends it.
    /// `stillHasOld`: older content for the beacon is on the disk and stays usable.
    case failed(BeaconID?, ContentError, stillHasOld: Bool)
    /// The failure that was told before still lasts, and keeps this beacon's content from being synced. Told once a
    /// beacon.
    case waiting(BeaconID?, stillHasOld: Bool)
    /// The failure that was told before is over. `ready` or `nothing` follows.
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

/// How far a sync is. Counts only what has to be fetched, not what was there before.
package struct ContentProgress: Hashable, Sendable {
    /// Bytes received and to receive.
    package var bytes: Int64
    package var totalBytes: Int64
    /// Assets complete and to fetch.
    package var assets: Int
    package var totalAssets: Int

    package init(bytes: Int64, totalBytes: Int64, assets: Int, totalAssets: Int) {
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.assets = assets
        self.totalAssets = totalAssets
    }
}

/// What a complete sync has brought.
package struct ContentSummary: Hashable, Sendable {
    /// The name for people, where the site gives one.
    package var name: String?
    /// What the manifest is for; it may be wider than the beacon.
    package var scope: ContentScope
    /// Assets that were fetched, and their bytes.
    package var fetchedAssets: Int
    package var fetchedBytes: Int64
    /// All assets of the content, and their bytes.
    package var assets: Int
    package var bytes: Int64
    /// The manifest is the one that was stored before.
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
