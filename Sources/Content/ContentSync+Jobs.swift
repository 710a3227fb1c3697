internal import Beacon
internal import Logging

/// What a sync is for: the beacon that is or was wanted, or a manifest of the list that is fetched in advance.
enum JobKey: Hashable, Sendable {
    case beacon(BeaconID?)
    case scope(ContentScope)
}

// The syncs that are under way, and what is told of them.
extension ContentSync {
    /// The sync of one beacon's content.
    struct Job {
        var task: Task<ScopeResult, Never>
        /// A revalidation or a retry: `started` is not told.
        var isQuiet: Bool
        /// Nobody has wanted it yet: nothing is told.
        var isSilent = false
        /// The server has answered in this run.
        var hasReachedServer = false
        /// Everything that the manifest refers to: it must not be pruned meanwhile.
        var assets: Set<AssetHash> = []
        /// The assets that have to be fetched, and their sizes.
        var needed: [AssetHash: Int64] = [:]
        /// Those of them that are in place.
        var complete: Set<AssetHash> = []
        var progressToldAt: Duration?
    }

    enum Outcome {
        case ready(ContentSummary, isNew: Bool)
        case nothing
    }

    /// How a sync of a manifest has ended.
    enum ScopeResult: Sendable {
        case unchanged
        /// Content that was there is as the site has it now; assets that were lost may have been fetched.
        case updated
        case new
        case nothing
        case failed(ContentError)
    }

    /// What is going wrong with a beacon's content, and what was told of it.
    struct Trouble {
        var failures = 0
        var told: ContentError.Code?
        var isOutage = false
    }

    /// Whether the site's documents must come past caches: something went wrong with them before.
    func isTroubled(_ key: JobKey) -> Bool {
        switch key {
        case .beacon(let beacon): troubles[beacon] != nil
        case .scope(let scope): prefetching.troubles[scope] != nil
        }
    }

    func start(_ beacon: BeaconID?, quietly: Bool) {
        let key = JobKey.beacon(beacon)
        if let job = jobs[key] {
            if job.isQuiet || job.isSilent, !quietly {
                jobs[key]?.isQuiet = false
                jobs[key]?.isSilent = false
                queue.push(.started(beacon))
            }
            return
        }
        if !quietly { queue.push(.started(beacon)) }
        jobs[key] = Job(task: Task { await self.run(beacon) }, isQuiet: quietly)
    }

    func checkPause() throws(ContentError) {
        guard let pause, pause.until > time.elapsed() else { return }
        var error = pause.error
        error.retryAfter = pause.until - time.elapsed()
        throw error
    }

    func run(_ beacon: BeaconID?) async -> ScopeResult {
        let key = JobKey.beacon(beacon)
        var delay: Duration?
        var result: ScopeResult
        do throws(ContentError) {
            try checkPause()
            try await checkRoom()
            let outcome = try await sync(beacon)
            await writer.releaseRoom(of: key)
            // From the event to the end of the job, nothing may suspend: a new wish would find the old job.
            succeeded(beacon, outcome)
            result = ScopeResult(outcome)
            note(nil, of: beacon)
            delay = settings.revalidationInterval
        } catch {
            result = .failed(error)
            note(error, of: beacon)
            await writer.releaseRoom(of: key)
            if error.code != .cancelled, !isClosing {
                let isSilent = jobs[key]?.isSilent == true
                await noteRoom(error, isTold: !isSilent)
                if isSilent {
                    notePause(error)
                } else {
                    delay = await failed(beacon, error)
                }
            }
        }
        jobs[key] = nil
        startTransfers()
        if let delay { again(beacon, after: delay) }
        finished(beacon, result)
        return result
    }

    /// What is wrong with a beacon's content, beside the list itself.
    private func note(_ error: ContentError?, of beacon: BeaconID?) {
        if error != nil, jobs[.beacon(beacon)]?.hasReachedServer != true { return }
        if let scope = scope(of: beacon) { health.contentAnswered(scope, error) }
        tellStatus()
    }

    private func again(_ beacon: BeaconID?, after delay: Duration) {
        guard wanted == Wanted(beacon: beacon), !isClosing else { return }
        timer?.cancel()
        timer = Task {
            guard (try? await time.sleep(delay)) != nil, wanted == Wanted(beacon: beacon), !isClosing else { return }
            start(beacon, quietly: true)
        }
    }

    private func succeeded(_ beacon: BeaconID?, _ outcome: Outcome) {
        pause = nil
        let hadTrouble = troubles.removeValue(forKey: beacon)?.told != nil
        guard let job = jobs[.beacon(beacon)], !job.isSilent else { return }
        if isOut || hadTrouble { queue.push(.recovered(beacon)) }
        if isOut {
            isOut = false
            troubles = troubles.filter { !$0.value.isOutage }
        }
        let isQuiet = job.isQuiet && !hadTrouble
        switch outcome {
        case .ready(let summary, _):
            if !isQuiet || !summary.unchanged || summary.fetchedAssets > 0 { queue.push(.ready(beacon, summary)) }
        case .nothing:
            if !isQuiet { queue.push(.nothing(beacon)) }
        }
    }

    /// Tells a failure, if it is news.
    ///
    /// - Returns: when to try again.
    private func failed(_ beacon: BeaconID?, _ error: ContentError) async -> Duration {
        let stillHasOld = await writer.hasContent(for: beacon)
        let hasReachedServer = jobs[.beacon(beacon)]?.hasReachedServer == true
        var trouble = troubles[beacon] ?? Trouble()
        trouble.failures += 1
        if error.isTransient && !hasReachedServer || error.code == .diskFull && room.isClosed {
            if trouble.told == nil {
                queue.push(
                    isOut
                        ? .waiting(beacon, stillHasOld: stillHasOld)
                        : .failed(beacon, error, stillHasOld: stillHasOld))
                trouble.told = error.code
            }
            trouble.isOutage = true
            isOut = true
        } else if trouble.told != error.code, trouble.told?.isTransient != true || !error.isTransient {
            queue.push(.failed(beacon, error, stillHasOld: stillHasOld))
            trouble.told = error.code
            trouble.isOutage = false
        }
        // Forged beacons must not fill the memory during a long outage.
        if troubles.count > 4096 { troubles = troubles.filter { Wanted(beacon: $0.key) == wanted } }
        troubles[beacon] = trouble
        notePause(error)
        let delay = retryDelay(error, failures: trouble.failures)
        logger.debug(
            "sync failed",
            metadata: [
                "beacon": "\(beacon.map(\.description) ?? "none")", "error": "\(error)", "retry": "\(delay)",
            ])
        return delay
    }

    /// Whoever is asked to leave the server alone does so for everybody.
    func notePause(_ error: ContentError) {
        if let retryAfter = error.retryAfter, error.isTransient, (pause?.until ?? .zero) <= time.elapsed() {
            pause = (time.elapsed() + min(retryAfter, settings.maximumRetryAfter), error)
        }
    }

    func retryDelay(_ error: ContentError, failures: Int) -> Duration {
        // What only the site's owner can mend is asked for ever more rarely.
        let mendsItself = error.isTransient || error.code == .diskFull || error.code == .storage
        let policy = RetryPolicy(
            pause: settings.retryPause,
            maximum: mendsItself
                ? settings.maximumRetryPause : max(settings.maximumRetryPause, settings.revalidationInterval ?? .zero),
            maximumRetryAfter: settings.maximumRetryAfter)
        return policy.delay(failures: failures, retryAfter: error.retryAfter, random: random())
    }
}

extension ContentSync.ScopeResult {
    init(_ outcome: ContentSync.Outcome) {
        switch outcome {
        case .nothing: self = .nothing
        case .ready(let summary, let isNew):
            self = isNew ? .new : summary.unchanged && summary.fetchedAssets == 0 ? .unchanged : .updated
        }
    }
}
