internal import Beacon
package import SiteFormat

extension ContentSync {
    /// Syncs everything that the site has, starting with the beacons in range, and removes what it no longer has.
    ///
    /// If the site list is unchanged and everything is stored, this takes one request. Callers that call it while a
    /// sync of the whole site is running get the result of that sync.
    ///
    /// - Parameters:
    ///   - accepting: changes that look like a mistake, but are intended.
    ///   - progress: called as often as `ContentSettings.progressInterval` allows.
    /// - Throws: `ContentError` if the site list cannot be fetched or is refused. Failures of single beacons are in the
    ///   summary.
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
            pass.waiting = before.sorted()[...]
            pass.progress.totalManifests = pass.waiting.count
        }
        await untilEnd(of: pass)
        var summary = scheduler.summaryOfPass ?? pass.summary
        summary.transferredBytes = transferred.value - bytesBefore
        if scheduler.isClosed { throw .cancelled("site") }
        // Walking over the whole store is expensive. It is left out if nothing can have become unneeded.
        if !summary.deleted.isEmpty || !summary.updated.isEmpty || !scheduler.hasPruned && !before.isEmpty {
            _ = try await prune()
            scheduler.notePruned()
        }
        return summary
    }

    // A function of its own, because Swift 6.2 crashes if a continuation is created in a function with typed throws.
    private func untilEnd(of pass: SitePass) async {
        await withCheckedContinuation { continuation in
            passWaiter = continuation
            feed { $0.run(pass, at: $1) }
        }
    }
}

extension StoreWriter {
    func storedScopes() -> [ContentScope] {
        store.storedScopes()
    }
}
