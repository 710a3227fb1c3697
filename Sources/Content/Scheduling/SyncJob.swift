package import Beacon
package import SiteFormat

/// The target of a sync: the beacon that is or was wanted, or a manifest of the list that is fetched in advance.
package enum JobKey: Hashable, Sendable {
    case beacon(BeaconID?)
    case scope(ContentScope)
}

/// The result of a sync that has not failed.
package enum SyncOutcome: Hashable, Sendable {
    case ready(ContentSummary, isNew: Bool)
    case nothing
}

/// The part of the program that asks for the site list.
package enum ListAsker: Hashable, Sendable {
    case job(JobKey)
    case schedule
    case pass
}

/// The free bytes on the disk, and how many of them have to stay free.
package struct DiskSpace: Hashable, Sendable {
    package var free: Int64
    package var reserve: Int64

    package init(free: Int64, reserve: Int64) {
        self.free = free
        self.reserve = reserve
    }
}

extension SyncScheduler {
    /// A running sync.
    struct Job: Sendable {
        /// It is a revalidation or a retry: `started` is not reported.
        var isQuiet: Bool
        /// Its content was not wanted yet: nothing is reported.
        var isSilent = false
        /// The server has answered during this job.
        var hasReachedServer = false
        /// Its manifest has changed since the job began.
        var isOutdated = false
        /// Everything that the manifest refers to. It must not be pruned meanwhile.
        var assets: Set<AssetHash> = []
        /// The assets that have to be fetched, and their sizes in bytes.
        var needed: [AssetHash: Int64] = [:]
        /// The needed assets that are in place.
        var complete: Set<AssetHash> = []
        /// The needed assets that the job is waiting for.
        var missing: Set<AssetHash> = []
        /// The error of the first asset that could not be fetched.
        var failure: ContentError?
        var progressReportedAt: Duration?
    }

    /// The result of a sync of a manifest.
    enum JobResult {
        case unchanged
        /// Stored content was brought up to date, or lost assets were fetched again.
        case updated
        case new
        case nothing
        case failed(ContentError)

        init(_ result: Result<SyncOutcome, ContentError>) {
            switch result {
            case .failure(let error): self = .failed(error)
            case .success(.nothing): self = .nothing
            case .success(.ready(let summary, let isNew)):
                self = isNew ? .new : summary.unchanged && summary.fetchedAssets == 0 ? .unchanged : .updated
            }
        }
    }

    /// The current failures of a beacon's content, and what was reported about them.
    struct Trouble: Sendable {
        var failures = 0
        var reported: ContentError.Code?
        /// The reported failure is that the server cannot be reached.
        var isOutage = false
        /// The reported outage has ended, but this beacon's content has not been synced since then.
        var isUnsettled = false
    }

    /// An asset that is waiting to be fetched, or is being fetched.
    struct Transfer: Sendable {
        var asset: ManifestAsset
        var isRunning = false
        var received: Int64 = 0
        /// The jobs that need it.
        var keys: [JobKey] = []
    }
}
