internal import Beacon

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

/// A sync of the whole site that is under way.
struct SiteSync {
    var summary = SyncSummary()
    var progress = SiteProgress()
    var waiting: ArraySlice<ContentScope> = []
    var tell: (@Sendable (SiteProgress) -> Void)?
    var toldAt: Duration?
    private var expected: Set<AssetHash> = []
    /// The server has failed so often in a row.
    var failures = 0

    static let maximumFailures = 5

    mutating func expect(_ assets: [ManifestAsset]) {
        for asset in assets where expected.insert(asset.sha256).inserted {
            progress.totalAssets += 1
            progress.totalBytes = progress.totalBytes.addingClamped(asset.bytes)
        }
    }

    mutating func complete(_ asset: ManifestAsset) {
        // It is there now, so nobody expects it again.
        guard expected.remove(asset.sha256) != nil else { return }
        progress.assets += 1
        progress.bytes = progress.bytes.addingClamped(asset.bytes)
        summary.fetchedAssets += 1
    }

    mutating func note(_ result: ContentSync.ScopeResult, of scope: ContentScope) {
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
}

extension ContentSync {
    /// Syncs everything that the site has, those in range first, and removes what it does not have any more.
    ///
    /// With an unchanged site list and everything there, this is one request. Callers that come while a sync of the
    /// whole site is under way get its result.
    ///
    /// - Parameters:
    ///   - accepting: what is meant, though it looks like a mistake.
    ///   - progress: called as often as `ContentSettings.progressInterval` allows.
    /// - Throws: `ContentError` where the site list cannot be had or is refused. What fails for single beacons is in
    ///   the summary.
    package func syncAll(
        accepting: SiteAcceptance = [], progress: (@Sendable (SiteProgress) -> Void)? = nil
    ) async throws(ContentError) -> SyncSummary {
        if isClosing { throw .cancelled("site") }
        if let passTask {
            let result = await passTask.value
            if accepting.isEmpty { return try result.get() }
        }
        if isClosing { throw .cancelled("site") }
        acceptance = accepting
        let task = Task { () async -> Result<SyncSummary, ContentError> in
            do throws(ContentError) {
                return .success(try await runPass(progress, accepting))
            } catch {
                return .failure(error)
            }
        }
        passTask = task
        let result = await task.value
        passTask = nil
        pass = nil
        acceptance = []
        retryLater(result)
        pump()
        return try result.get()
    }

    /// What has failed in a sync that was asked for is tried again as soon as what the schedule does.
    private func retryLater(_ result: Result<SyncSummary, ContentError>) {
        guard scheduler != nil, !isClosing else { return }
        let error: ContentError
        switch result {
        case .success(let summary):
            guard let failure = summary.failed.first else { return }
            prefetching.position = 0
            error = failure.error
        case .failure(let failure): error = failure
        }
        let sleep = scheduleSleep
        let delay = retryDelay(error, failures: 1)
        Task {
            if (try? await time.sleep(delay)) != nil { sleep?.cancel() }
        }
    }

    private func runPass(
        _ tell: (@Sendable (SiteProgress) -> Void)?, _ accepting: SiteAcceptance
    ) async throws(ContentError) -> SyncSummary {
        try checkPause()
        let bytesBefore = transferred.value
        let before = await writer.storedScopes()
        let list: SiteList?
        do throws(ContentError) {
            list = try await siteList(accepting: accepting)
        } catch {
            notePause(error)
            throw error
        }
        var pass = SiteSync()
        pass.tell = tell
        pass.summary.revision = list?.revision
        if let list {
            pass.summary.deleted = before.filter { list.entries[$0] == nil }.sorted()
            let order = list.entries.keys.sorted { (rank(of: .scope($0)), $0) < (rank(of: .scope($1)), $1) }
            var incomplete: [ContentScope] = []
            for start in stride(from: 0, to: order.count, by: 64) {
                if isClosing { throw .cancelled("site") }
                incomplete += await writer.incomplete(order[start..<min(start + 64, order.count)], list)
            }
            pass.summary.unchanged = order.count - incomplete.count
            pass.progress.manifests = pass.summary.unchanged
            pass.progress.totalManifests = order.count
            pass.waiting = incomplete[...]
        } else {
            pass.waiting = before.filter { $0.beacon != nil || $0 == .uncategorized }.sorted()[...]
            pass.progress.totalManifests = pass.waiting.count
        }
        self.pass = pass
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(max(settings.parallelManifests, 1), pass.waiting.count) {
                group.addTask { await self.work() }
            }
        }
        tellPass(now: true)
        var summary = self.pass?.summary ?? pass.summary
        summary.transferredBytes = transferred.value - bytesBefore
        if isClosing { throw .cancelled("site") }
        // One walk over the store is dear where nothing can have become unneeded.
        if !summary.deleted.isEmpty || !summary.updated.isEmpty || !prefetching.hasPruned && !before.isEmpty {
            _ = try await prune()
            prefetching.hasPruned = true
        }
        return summary
    }

    private func work() async {
        while !isClosing, let scope = pass?.waiting.popFirst() {
            let result = await runInAdvance(scope)
            if case .failed = result {} else if scheduler != nil { prefetching.done.insert(scope) }
            pass?.note(result, of: scope)
            tellPass()
        }
    }

    /// Tells how far the sync of the whole site is, if somebody wants to know.
    func tellPass(now: Bool = false) {
        guard let pass, let tell = pass.tell else { return }
        let elapsed = time.elapsed()
        if !now, let last = pass.toldAt, elapsed - last < settings.progressInterval { return }
        self.pass?.toldAt = elapsed
        var progress = pass.progress
        for transfer in transfers.values where transfer.task != nil {
            progress.bytes = progress.bytes.addingClamped(transfer.received)
        }
        progress.bytes = min(progress.bytes, progress.totalBytes)
        tell(progress)
    }
}

extension StoreWriter {
    func storedScopes() -> [ContentScope] {
        store.storedScopes()
    }
}
