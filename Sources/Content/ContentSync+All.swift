internal import Beacon
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

extension ContentSync {
    /// Syncs everything that the site has, those in range first, and removes what it no longer has.
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
        if scheduler.isClosed { throw .cancelled("site") }
        while let passTask {
            let result = await passTask.value
            if accepting.isEmpty { return try result.get() }
        }
        if scheduler.isClosed { throw .cancelled("site") }
        let task = Task { await pass(accepting, progress) }
        passTask = task
        return try await task.value.get()
    }

    private func pass(
        _ accepting: SiteAcceptance, _ progress: (@Sendable (SiteProgress) -> Void)?
    ) async -> Result<SyncSummary, ContentError> {
        passProgress = progress
        feed { $0.beginPass(accepting: accepting, at: $1) }
        let result: Result<SyncSummary, ContentError>
        do throws(ContentError) {
            result = .success(try await runPass(accepting))
        } catch {
            result = .failure(error)
        }
        passTask = nil
        passProgress = nil
        feed { $0.endPass(result, at: $1) }
        return result
    }

    private func runPass(_ accepting: SiteAcceptance) async throws(ContentError) -> SyncSummary {
        if let refusal = scheduler.pauseRefusal(at: time.elapsed()) { throw refusal }
        let bytesBefore = transferred.value
        let before = await writer.storedScopes()
        let list: SiteList?
        do throws(ContentError) {
            list = try await siteList(.pass, accepting: accepting)
        } catch {
            scheduler.noteFailure(error, at: time.elapsed())
            throw error
        }
        var pass = SitePass()
        pass.summary.revision = list?.revision
        if let list {
            pass.summary.deleted = before.filter { list.entries[$0] == nil }.sorted()
            let order = list.entries.keys.sorted {
                (scheduler.rank(of: .scope($0)), $0) < (scheduler.rank(of: .scope($1)), $1)
            }
            var incomplete: [ContentScope] = []
            for start in stride(from: 0, to: order.count, by: 64) {
                if scheduler.isClosed { throw .cancelled("site") }
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
        await withCheckedContinuation { continuation in
            passWaiter = continuation
            feed { $0.run(pass, at: $1) }
        }
        var summary = scheduler.summaryOfPass ?? pass.summary
        summary.transferredBytes = transferred.value - bytesBefore
        if scheduler.isClosed { throw .cancelled("site") }
        // One walk over the store is dear where nothing can have become unneeded.
        if !summary.deleted.isEmpty || !summary.updated.isEmpty || !scheduler.hasPruned && !before.isEmpty {
            _ = try await prune()
            scheduler.notePruned()
        }
        return summary
    }
}

extension StoreWriter {
    func storedScopes() -> [ContentScope] {
        store.storedScopes()
    }
}
