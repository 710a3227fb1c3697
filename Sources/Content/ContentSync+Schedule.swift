internal import Beacon
internal import Logging
internal import Synchronization

/// What the sync client tells about the site as a whole.
package enum SiteEvent: Sendable {
    /// A new site list is in force.
    case changed(revision: Int64)
    /// The site list cannot be had or is refused, and why. What is stored stays. Told once until it succeeds, and not
    /// where a beacon's `ContentEvent.failed` says already that the server is out of reach.
    case refused(ContentError)
    /// After `refused`: the site list is there again, or the disk has room again.
    case recovered
    /// Content that is fetched in advance cannot be had. Told once a manifest and list; not for an outage of the
    /// server.
    case failed(ContentScope, ContentError)
    /// Content that was not needed for the longest time was removed, to make room.
    case evicted([ContentScope])
    /// What the site does not have any more was removed from the disk.
    case pruned(PruneReport)
}

extension ContentSync {
    /// Asks for the site list again and again, and soon again after a failure.
    func schedule() async {
        _ = await learnedNow()
        if site == nil {
            status.revision = await writer.storedSite().list?.revision
            tellStatus()
        }
        updateRanks()
        var failures = 0
        var told: ContentError.Code?
        while !isClosing {
            var delay = settings.syncInterval.map { $0 * (0.9 + 0.2 * random()) }
            do throws(ContentError) {
                try checkPause()
                _ = try await siteList()
                failures = 0
                if told != nil {
                    siteQueue.yield(.recovered)
                    if told?.isTransient == true { isOut = false }
                }
                told = nil
                prefetching.pausedUntil = nil
                prefetching.position = 0
                if site?.list == nil { prefetching.done = [] }
                pump()
            } catch {
                if isClosing { return }
                failures += 1
                notePause(error)
                await noteRoom(error, isTold: false)
                if tells(error, told: told, failures: failures) {
                    siteQueue.yield(.refused(error))
                    told = error.code
                    if error.isTransient { isOut = true }
                }
                delay = retryDelay(error, failures: failures)
            }
            // Whoever ends this cancels the sleep that there is, not one that comes later.
            if isClosing { return }
            let sleep = Task { [delay] in
                _ = try? await time.sleep(delay ?? .seconds(86400))
            }
            scheduleSleep = sleep
            await sleep.value
        }
    }
}

extension ContentSync {
    /// An outage is told once, by whoever notices it: the wanted beacon's sync, which knows more, goes first.
    private func tells(_ error: ContentError, told: ContentError.Code?, failures: Int) -> Bool {
        guard error.isTransient else { return told != error.code }
        return told?.isTransient != true && !isOut && failures > 1
    }
}

// MARK: - Learning

extension ContentSync {
    /// How long after a beacon was near the next one counts as reached from it.
    private static var walkLimit: Duration { .seconds(600) }
    private static var saveInterval: Duration { .seconds(30) }

    func learnedNow() async -> Learned {
        if let learned { return learned }
        let stored = await writer.learned()
        let result = learned ?? stored
        learned = result
        return result
    }

    /// Somebody is near this beacon now.
    func learn(_ beacon: BeaconID?) async {
        _ = await learnedNow()
        let seconds = time.now().seconds
        learned?.need(beacon, at: Int64(seconds))
        if let beacon {
            if let last = lastNearest, last.beacon != beacon, time.elapsed() - last.at < Self.walkLimit {
                learned?.transitions.record(from: last.beacon, to: beacon, at: seconds)
            }
            lastNearest = (beacon, time.elapsed())
        }
        updateRanks()
        pump()
        guard learnedSaver == nil, !isClosing else { return }
        learnedSaver = Task {
            guard (try? await Task.sleep(for: Self.saveInterval)) != nil else { return }
            learnedSaver = nil
            guard let learned, !isClosing else { return }
            do throws(ContentError) {
                try await writer.save(learned)
            } catch {
                logger.debug("what was learned cannot be saved", metadata: ["error": "\(error)"])
            }
        }
    }
}

// MARK: - Maintenance

extension ContentSync {
    /// Removes what no manifest needs. Content that is being synced stays.
    package func prune() async throws(ContentError) -> PruneReport {
        let report = try await writer.prune(keeping: assetsInJobs())
        if report.assets > 0 || report.documents > 0 { siteQueue.yield(.pruned(report)) }
        return report
    }

    /// Re-hashes everything that is stored, removes what is damaged, and lets it be fetched again. Syncs go on
    /// meanwhile.
    package func verify() async throws(ContentError) -> VerifyReport {
        var report = VerifyReport()
        for folder in await writer.assetFolders() {
            report = try await writer.verify(folder: folder, into: report)
        }
        report = try await writer.verifyDocuments(into: report)
        if !report.isClean {
            prefetching.done = []
            prefetching.position = 0
            if let wanted { start(wanted.beacon, quietly: true) }
            pump()
        }
        return report
    }
}

/// Counts the bytes of assets that come over the network.
final class ByteCounter: Sendable {
    private let bytes = Atomic<Int>(0)

    func add(_ count: Int) {
        bytes.add(count, ordering: .relaxed)
    }

    var value: Int64 { Int64(bytes.load(ordering: .relaxed)) }
}
