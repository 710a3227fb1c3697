internal import Beacon
internal import Logging
package import SiteFormat

// Carries out what the scheduler decides. This is the only place where tasks start and report their results.
extension ContentSync {
    /// The purpose of a task. There is at most one task for each.
    enum Work: Hashable {
        case job(JobKey)
        case transfer(AssetHash)
        case list
        case look(ContentScope)
        case space
        case stored
        case saving
        case pruning
        case wake
    }

    /// Passes an event to the scheduler, and carries out its actions.
    func feed(_ input: (inout SyncScheduler, Duration) -> [SyncScheduler.Action]) {
        let now = time.elapsed()
        perform(input(&scheduler, now), at: now)
    }

    /// A task has ended; `input` passes its result to the scheduler. There is no suspension point in between.
    func end(_ work: Work, _ input: (inout SyncScheduler, Duration) -> [SyncScheduler.Action]) {
        tasks[work] = nil
        feed(input)
    }

    private func perform(_ actions: [SyncScheduler.Action], at now: Duration) {
        for action in actions {
            switch action {
            case .sync(let key): tasks[.job(key)] = Task { await run(key) }
            case .download(let asset): tasks[.transfer(asset.sha256)] = Task { await download(asset) }
            case .fetchList(let accepting): tasks[.list] = Task { await fetchList(accepting) }
            case .look(let scope, let list): tasks[.look(scope)] = Task { await look(scope, list) }
            case .measureSpace: tasks[.space] = Task { await measureSpace() }
            case .readStored: tasks[.stored] = Task { await readStored() }
            case .saveLearned(let pause): tasks[.saving] = Task { await saveLearned(after: pause) }
            case .prune: tasks[.pruning] = Task { await pruneWhenIdle(all: true) }
            case .removeUnneededPartials: tasks[.pruning] = Task { await pruneWhenIdle(all: false) }
            case .wake(let instant): setWake(instant, now)
            case .finishAssets(let key, let failure):
                assetWaiters.removeValue(forKey: key)?.resume(returning: failure)
            case .answerList(let asker, let result):
                listWaiters.removeValue(forKey: asker)?.resume(returning: result)
            case .passEnded:
                passWaiter?.resume()
                passWaiter = nil
            case .event(let event): queue.push(event)
            case .siteEvent(let event): siteQueue.yield(event)
            case .siteProgress(let progress): passProgress?(progress)
            case .status(let status): report(status)
            case .retry(let beacon, let error, let delay):
                logger.debug(
                    "sync failed",
                    metadata: [
                        "beacon": "\(beacon.map(\.description) ?? "none")", "error": "\(error)", "retry": "\(delay)",
                    ])
            }
        }
    }

    private func report(_ new: SiteStatus) {
        var status = new
        status.fetchedBytes = transferred.value
        guard status != reportedStatus else { return }
        reportedStatus = status
        statusQueue.yield(status)
    }

    private static var longestSleep: Duration { .seconds(60) }

    private func setWake(_ instant: Duration?, _ now: Duration) {
        tasks.removeValue(forKey: .wake)?.cancel()
        guard let instant else { return }
        tasks[.wake] = Task {
            // In pieces: a cancelled sleep stays in memory until it would have ended.
            var rest = max(instant - now, .zero)
            repeat {
                guard (try? await time.sleep(min(rest, Self.longestSleep))) != nil, !Task.isCancelled else { return }
                rest -= Self.longestSleep
            } while rest > .zero
            tasks[.wake] = nil
            let now = max(time.elapsed(), instant)
            perform(scheduler.wake(at: now), at: now)
        }
    }
}

// MARK: - Jobs and transfers

extension ContentSync {
    private func run(_ key: JobKey) async {
        let result: Result<SyncOutcome, ContentError>
        do throws(ContentError) {
            result = .success(try await admitted(key))
        } catch {
            result = .failure(error)
        }
        await writer.releaseRoom(of: key)
        var hasOld = false
        var space: DiskSpace?
        if case .failure(let error) = result {
            if case .beacon(let beacon) = key { hasOld = await writer.hasContent(for: beacon) }
            if error.code == .diskFull { space = await writer.space() }
        }
        end(.job(key)) { $0.ended(key, result, hasOld: hasOld, space: space, at: $1) }
    }

    private func admitted(_ key: JobKey) async throws(ContentError) -> SyncOutcome {
        // No request is made while nothing can be stored, or while the server has asked clients to wait.
        if scheduler.isFull {
            let space = await writer.space()
            feed { $0.measured(space, isAsked: false, at: $1) }
        }
        if let refusal = scheduler.refusal(at: time.elapsed()) { throw refusal }
        return switch key {
        case .beacon(let beacon): try await sync(beacon)
        case .scope(let scope): try await sync(scope)
        }
    }

    /// Fetches the missing assets of a beacon's content.
    ///
    /// - Throws: the first error, after everything else was fetched.
    func fetch(_ missing: [ManifestAsset], for key: JobKey) async throws(ContentError) {
        if let failure = await firstFailure(of: missing, for: key) { throw failure }
    }

    // A function of its own, because Swift 6.2 crashes if a continuation is created in a function with typed throws.
    private func firstFailure(of missing: [ManifestAsset], for key: JobKey) async -> ContentError? {
        await withCheckedContinuation { continuation in
            assetWaiters[key] = continuation
            feed { $0.needs(key, missing, at: $1) }
        }
    }

    private func download(_ asset: ManifestAsset) async {
        let hash = asset.sha256
        var failure: ContentError?
        do throws(ContentError) {
            let counter = transferred
            try await fetcher.asset(
                asset, into: writer, received: { await self.received($0, of: hash) },
                transferred: { counter.add($0) }, verified: { await self.leftNetwork(hash) })
            await writer.arrived(asset.bytes, for: scheduler.holders(of: hash))
        } catch {
            failure = error
        }
        end(.transfer(hash)) { $0.transferEnded(hash, failure, at: $1) }
    }

    private func received(_ bytes: Int64, of hash: AssetHash) {
        feed { $0.received(bytes, of: hash, at: $1) }
    }

    private func leftNetwork(_ hash: AssetHash) {
        feed { $0.leftNetwork(hash, at: $1) }
    }
}

// MARK: - The store

extension ContentSync {
    private func look(_ scope: ContentScope, _ list: SiteList) async {
        let isComplete = await writer.incomplete([scope], list).isEmpty
        end(.look(scope)) { $0.looked(scope, isComplete: isComplete, at: $1) }
    }

    private func measureSpace() async {
        let space = await writer.space()
        end(.space) { $0.measured(space, isAsked: true, at: $1) }
    }

    func readStored() async {
        let learned = await writer.learned()
        let revision = await writer.storedSite().list?.revision
        end(.stored) { $0.stored(learned, revision: revision, at: $1) }
    }

    private func saveLearned(after pause: Duration) async {
        // This uses the system's clock, because nothing waits for it.
        if (try? await Task.sleep(for: pause)) != nil, let learned = scheduler.takeLearned() {
            do throws(ContentError) {
                try await writer.save(learned)
            } catch {
                logger.debug("what was learned cannot be saved", metadata: ["error": "\(error)"])
            }
        }
        end(.saving) { $0.saved(at: $1) }
    }

    private func pruneWhenIdle(all: Bool) async {
        if all {
            _ = try? await prune()
        } else {
            try? await writer.removeUnneededPartials(keeping: scheduler.assetsInJobs)
        }
        end(.pruning) { $0.pruned(at: $1) }
    }

    /// Makes room for what a sync has to write. Nothing is evicted for the rest of the site.
    func makeRoom(for missing: [ManifestAsset], manifest: Int, _ key: JobKey) async throws(ContentError) {
        let bytes = await writer.bytes(of: missing).addingClamped(Int64(manifest))
        let quota = settings.quotaBytes ?? .max
        if try await writer.reserve(bytes, for: key, quota: quota) { return }
        var protected = scheduler.protected(from: key)
        if protected != nil, !scheduler.hasStored {
            await readStored()
            protected = scheduler.protected(from: key)
        }
        let evicted = try await writer.makeRoom(
            for: key, bytes: bytes, quota: quota, protected: protected,
            lastNeeded: protected == nil ? [:] : scheduler.lastNeeded(), keeping: scheduler.assetsInJobs)
        feed { $0.evicted(evicted, at: $1) }
    }
}

// MARK: - Maintenance

extension ContentSync {
    /// Removes what no manifest needs. The assets of running syncs are kept.
    package func prune() async throws(ContentError) -> PruneReport {
        let report = try await writer.prune(keeping: scheduler.assetsInJobs)
        if report.assets > 0 || report.documents > 0 { siteQueue.yield(.pruned(report)) }
        return report
    }

    /// Hashes everything that is stored again, and removes what is damaged. That, and what is missing, is fetched
    /// again. Syncs continue meanwhile.
    package func verify() async throws(ContentError) -> VerifyReport {
        do throws(ContentError) {
            let report = try await verifyAll()
            if !report.isComplete || report.notStored > 0 { feed { $0.damaged(at: $1) } }
            return report
        } catch {
            // Something may have been removed before the error.
            feed { $0.damaged(at: $1) }
            throw error
        }
    }

    private func verifyAll() async throws(ContentError) -> VerifyReport {
        var report = VerifyReport()
        for folder in await writer.assetFolders() {
            report = try await writer.verify(folder: folder, into: report)
        }
        return try await writer.verifyDocuments(into: report)
    }
}
