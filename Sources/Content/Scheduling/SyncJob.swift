package import Beacon
package import SiteFormat

/// What a sync is for: the beacon that is or was wanted, or a manifest of the list that is fetched in advance.
package enum JobKey: Hashable, Sendable {
    case beacon(BeaconID?)
    case scope(ContentScope)
}

/// What a sync that has not failed found.
package enum SyncOutcome: Hashable, Sendable {
    case ready(ContentSummary, isNew: Bool)
    case nothing
}

/// Who asks for the site list.
package enum ListAsker: Hashable, Sendable {
    case job(JobKey)
    case schedule
    case pass
}

/// What is free on the disk, and how much of it has to stay free.
package struct DiskSpace: Hashable, Sendable {
    package var free: Int64
    package var reserve: Int64

    package init(free: Int64, reserve: Int64) {
        self.free = free
        self.reserve = reserve
    }
}

extension SyncScheduler {
    /// A sync that is under way.
    struct Job: Sendable {
        /// A revalidation or a retry: `started` is not reported.
        var isQuiet: Bool
        /// Nobody has wanted it yet: nothing is reported.
        var isSilent = false
        /// The server has answered in this run.
        var hasReachedServer = false
        /// Everything that the manifest refers to: it must not be pruned meanwhile.
        var assets: Set<AssetHash> = []
        /// The assets that have to be fetched, and their sizes.
        var needed: [AssetHash: Int64] = [:]
        /// Those of them that are in place.
        var complete: Set<AssetHash> = []
        /// Those of them that are waited for.
        var missing: Set<AssetHash> = []
        /// Why the first that could not be had could not.
        var failure: ContentError?
        var progressReportedAt: Duration?
    }

    /// How a sync of a manifest has ended.
    enum JobResult {
        case unchanged
        /// Content that was there is as the site has it now; assets that were lost may have been fetched.
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

    /// What is going wrong with a beacon's content, and what was reported of it.
    struct Trouble: Sendable {
        var failures = 0
        var reported: ContentError.Code?
        /// What was reported is that the server is out of reach.
        var isOutage = false
        /// The outage that was reported has ended, but this beacon's content was not synced since.
        var isUnsettled = false
    }

    /// An asset on its way.
    struct Transfer: Sendable {
        var asset: ManifestAsset
        var isRunning = false
        var received: Int64 = 0
        /// Who needs it.
        var keys: [JobKey] = []
    }
}
