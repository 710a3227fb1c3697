internal import Beacon
package import SiteFormat

/// The remaining work of a sync of the whole site, and its results.
package struct SitePass: Sendable {
    package var summary = SyncSummary()
    package var progress = SiteProgress()
    package var waiting: ArraySlice<ContentScope> = []
    /// The running jobs of the pass.
    var running: [JobKey: ContentScope] = [:]
    private var reportedAt: Duration?
    private var expected: Set<AssetHash> = []
    /// How many syncs in a row have failed because of the server.
    private var failures = 0
    var hasEnded = false

    private static let maximumFailures = 5

    package init() {}

    mutating func expect(_ assets: [ManifestAsset]) {
        for asset in assets where expected.insert(asset.sha256).inserted {
            progress.totalAssets += 1
            progress.totalBytes = progress.totalBytes.addingClamped(asset.bytes)
        }
    }

    mutating func complete(_ asset: ManifestAsset) {
        // It is stored now, so it is not expected again.
        guard expected.remove(asset.sha256) != nil else { return }
        progress.assets += 1
        progress.bytes = progress.bytes.addingClamped(asset.bytes)
        summary.fetchedAssets += 1
    }

    mutating func note(_ result: SyncScheduler.JobResult, of scope: ContentScope) {
        progress.manifests += 1
        switch result {
        case .unchanged: summary.unchanged += 1
        case .updated: summary.updated.append(scope)
        case .new: summary.new.append(scope)
        case .nothing: summary.deleted.append(scope)
        case .failed(let error):
            summary.failed.append(.init(scope: scope, error: error))
            failures = error.isTransient && error.code != .slow ? failures + 1 : 0
            if failures >= Self.maximumFailures || error.code == .diskFull || error.code == .cancelled {
                summary.untried += waiting.count
                waiting = []
            }
            return
        }
        failures = 0
    }

    /// Whether progress is due. If so, it counts as reported.
    mutating func isDue(at now: Duration, interval: Duration, always: Bool) -> Bool {
        if !always, let reportedAt, now - reportedAt < interval { return false }
        reportedAt = now
        return true
    }
}

// A sync of the whole site: decides which of its manifests is synced when.
extension SyncScheduler {
    /// A pass begins. Nothing is fetched in advance until it has ended. A person has asked for it, so it ignores an
    /// earlier `Retry-After` of the server, unless the server sends it again.
    package mutating func beginPass(accepting: SiteAcceptance, at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            scheduler.isPassing = true
            scheduler.acceptance = accepting
            scheduler.pause = nil
            scheduler.failedAssets.forgetAll()
        }
    }

    /// Starts a pass whose manifests are known. `.passEnded` follows when none is left.
    package mutating func run(_ pass: SitePass, at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            scheduler.pass = pass
            scheduler.endPassIfDone()
        }
    }

    /// The pass has ended, with its summary or an error.
    package mutating func endPass(_ result: Result<SyncSummary, ContentError>, at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            scheduler.isPassing = false
            scheduler.pass = nil
            scheduler.acceptance = []
            scheduler.retryLater(result)
        }
    }

    /// After a failed pass, the schedule tries again as soon as after a failure of its own.
    private mutating func retryLater(_ result: Result<SyncSummary, ContentError>) {
        guard schedule != nil, !isClosed else { return }
        let error: ContentError
        switch result {
        case .success(let summary):
            guard let failure = summary.failed.first else { return }
            prefetching.position = 0
            error = failure.error
        case .failure(let failure): error = failure
        }
        let at = now + retryDelay(error, failures: 1)
        if let next = schedule?.nextAt { schedule?.nextAt = min(next, at) }
    }

    /// The pass could not start.
    package mutating func noteFailure(_ error: ContentError, at now: Duration) {
        self.now = now
        notePause(error)
    }

    /// The results of the running pass so far.
    package var summaryOfPass: SyncSummary? { pass?.summary }

    package var hasPruned: Bool { prefetching.hasPruned }

    /// A pass has removed what is no longer needed.
    package mutating func notePruned() {
        prefetching.hasPruned = true
    }

    /// Starts as many manifests of the pass as may run now.
    mutating func continuePass() {
        let limit = max(settings.parallelManifests, 1)
        while let running = pass?.running.count, running < limit, let scope = pass?.waiting.popFirst() {
            let key = jobInAdvance(scope)
            pass?.running[key] = scope
        }
        endPassIfDone()
    }

    mutating func notePass(_ result: JobResult, of scope: ContentScope, isOutdated: Bool) {
        if case .failed = result {} else if schedule != nil { noteComplete(scope, isOutdated: isOutdated) }
        pass?.note(result, of: scope)
        reportPass()
        endPassIfDone()
    }

    mutating func endPassIfDone() {
        guard let pass, !pass.hasEnded, isClosed || pass.waiting.isEmpty && pass.running.isEmpty else { return }
        self.pass?.hasEnded = true
        reportPass(now: true)
        emit(.passEnded)
    }

    /// Reports the progress of the sync of the whole site.
    mutating func reportPass(now isDue: Bool = false) {
        guard pass?.isDue(at: now, interval: settings.progressInterval, always: isDue) == true,
            var progress = pass?.progress
        else { return }
        for transfer in transfers.values where transfer.isRunning {
            progress.bytes = progress.bytes.addingClamped(transfer.received)
        }
        progress.bytes = min(progress.bytes, progress.totalBytes)
        emit(.siteProgress(progress))
    }
}
