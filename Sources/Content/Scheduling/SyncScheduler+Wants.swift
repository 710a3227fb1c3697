package import Beacon
package import SiteFormat

// The wanted beacon: its job and how it ends, what is reported, and when it is tried again.
extension SyncScheduler {
    /// The nearest beacon has changed; nil means that none is near.
    ///
    /// - Parameter date: seconds since 1970.
    package mutating func want(_ beacon: BeaconID?, date: Double, at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard !scheduler.isClosed else { return }
            scheduler.wanted = Wanted(beacon: beacon)
            scheduler.wantedAt = nil
            scheduler.learn(beacon, date: date)
            scheduler.updateRanks()
            scheduler.start(beacon, quietly: false)
        }
    }

    /// Tries everything that failed again now, for example because the network may be back.
    package mutating func retryNow(at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard !scheduler.isClosed else { return }
            scheduler.prefetching.troubles = [:]
            scheduler.prefetching.pausedUntil = nil
            scheduler.failedAssets.forgetAll()
            if scheduler.schedule?.nextAt != nil { scheduler.runSchedule() }
            if let wanted = scheduler.wanted, scheduler.troubles[wanted.beacon] != nil {
                scheduler.start(wanted.beacon, quietly: true)
            }
        }
    }

    /// Damaged files were found in the store and removed.
    package mutating func damaged(at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard !scheduler.isClosed else { return }
            scheduler.prefetching.done = []
            scheduler.prefetching.position = 0
            scheduler.outdate { _ in true }
            if let wanted = scheduler.wanted { scheduler.start(wanted.beacon, quietly: true) }
        }
    }

    mutating func start(_ beacon: BeaconID?, quietly: Bool) {
        let key = JobKey.beacon(beacon)
        if let job = jobs[key] {
            if job.isQuiet || job.isSilent, !quietly {
                jobs[key]?.isQuiet = false
                jobs[key]?.isSilent = false
                emit(.event(.started(beacon)))
            }
            return
        }
        if !quietly { emit(.event(.started(beacon))) }
        jobs[key] = Job(isQuiet: quietly)
        emit(.sync(key))
    }

    /// Why no job may continue now; nil if it may.
    package func refusal(at now: Duration) -> ContentError? {
        pauseRefusal(at: now) ?? (room.isClosed ? health.room : nil)
    }

    /// Why the server must not be asked now; nil if it may be.
    package func pauseRefusal(at now: Duration) -> ContentError? {
        guard let pause, pause.until > now else { return nil }
        var error = pause.error
        let left = pause.until - now
        let seconds = left.components.seconds + (left.components.attoseconds > 0 ? 1 : 0)
        error.cause += "; it asked to be left alone, for "
            + (seconds > 120 ? "\((seconds + 59) / 60) min" : "\(seconds) s") + " more"
        error.retryAfter = left
        return error
    }

    /// A job has ended.
    ///
    /// - Parameters:
    ///   - hasOld: older content for the beacon is on the disk.
    ///   - space: the free space, if the disk is full.
    package mutating func ended(
        _ key: JobKey, _ result: Result<SyncOutcome, ContentError>, hasOld: Bool = false, space: DiskSpace? = nil,
        at now: Duration
    ) -> [Action] {
        step(at: now) { scheduler in
            guard let job = scheduler.jobs[key] else { return }
            switch key {
            case .beacon(let beacon): scheduler.beaconEnded(beacon, job, result, hasOld: hasOld, space)
            case .scope(let scope): scheduler.scopeEnded(scope, result, space)
            }
            scheduler.jobs[key] = nil
            scheduler.updateStatus()
            scheduler.jobEnded(key, JobResult(result), isOutdated: job.isOutdated)
        }
    }

    private mutating func beaconEnded(
        _ beacon: BeaconID?, _ job: Job, _ result: Result<SyncOutcome, ContentError>, hasOld: Bool, _ space: DiskSpace?
    ) {
        switch result {
        case .success(let outcome):
            succeeded(beacon, job, outcome)
            if let scope = scope(of: beacon) {
                health.contentAnswered(scope, nil)
                noteComplete(scope, isOutdated: job.isOutdated)
            }
            prefetching.pausedUntil = nil
            if wanted == Wanted(beacon: beacon) { wantedAt = settings.revalidationInterval.map { now + $0 } }
        case .failure(let error):
            if job.hasReachedServer, let scope = scope(of: beacon) { health.contentAnswered(scope, error) }
            guard error.code != .cancelled, !isClosed else { return }
            noteRoom(error, space, isReported: !job.isSilent)
            if job.isSilent { return notePause(error) }
            let delay = failed(beacon, job, error, hasOld: hasOld)
            if wanted == Wanted(beacon: beacon) { wantedAt = now + delay }
        }
    }

    private mutating func succeeded(_ beacon: BeaconID?, _ job: Job, _ outcome: SyncOutcome) {
        pause = nil
        if job.isSilent {
            // The reported failure is kept until the beacon is wanted again, and its end is reported then.
            troubles[beacon]?.failures = 0
            return
        }
        let trouble = troubles.removeValue(forKey: beacon)
        let hadTrouble = trouble?.reported != nil
        if isOut || hadTrouble { emit(.event(.recovered(beacon))) }
        if isOut {
            isOut = false
            // The next failure that is reported is another outage.
            for (other, trouble) in troubles where trouble.isOutage { troubles[other] = Trouble(isUnsettled: true) }
        }
        let isQuiet = job.isQuiet && !hadTrouble && trouble?.isUnsettled != true
        switch outcome {
        case .ready(let summary, _):
            if !isQuiet || !summary.unchanged || summary.fetchedAssets > 0 {
                emit(.event(.ready(beacon, summary)))
            }
        case .nothing:
            if !isQuiet { emit(.event(.nothing(beacon))) }
        }
    }

    /// Reports a failure if it is new.
    ///
    /// - Returns: the delay before the next attempt.
    private mutating func failed(
        _ beacon: BeaconID?, _ job: Job, _ error: ContentError, hasOld: Bool
    ) -> Duration {
        var trouble = troubles[beacon] ?? Trouble()
        trouble.failures += 1
        if error.isTransient && !job.hasReachedServer || error.code == .diskFull && room.isClosed {
            if trouble.reported == nil {
                emit(.event(
                    isOut ? .waiting(beacon, stillHasOld: hasOld) : .failed(beacon, error, stillHasOld: hasOld)))
                trouble.reported = error.code
                trouble.isOutage = true
            }
            isOut = true
        } else if trouble.reported != error.code, trouble.reported?.isTransient != true || !error.isTransient {
            emit(.event(.failed(beacon, error, stillHasOld: hasOld)))
            trouble.reported = error.code
            trouble.isOutage = false
        }
        // Forged beacons must not fill the memory during a long outage.
        if troubles.count > Self.maximumTroubles {
            troubles = troubles.filter { Wanted(beacon: $0.key) == wanted }
        }
        troubles[beacon] = trouble
        notePause(error)
        let delay = retryDelay(error, failures: trouble.failures)
        emit(.retry(beacon, error, after: delay))
        return delay
    }

    static var maximumTroubles: Int { 4096 }

    /// If the server asks one request to wait, all requests wait.
    mutating func notePause(_ error: ContentError) {
        if let retryAfter = error.retryAfter, error.isTransient, (pause?.until ?? .zero) <= now {
            pause = (now + min(retryAfter, settings.maximumRetryAfter), error)
        }
    }

    func retryDelay(_ error: ContentError, failures: Int) -> Duration {
        // Errors that only the site's owner can correct are retried with longer pauses.
        let endsByItself = error.isTransient || error.code == .diskFull || error.code == .storage
        let policy = RetryPolicy(
            pause: settings.retryPause,
            maximum: endsByItself
                ? settings.maximumRetryPause : max(settings.maximumRetryPause, settings.revalidationInterval ?? .zero),
            maximumRetryAfter: settings.maximumRetryAfter)
        return policy.delay(failures: failures, retryAfter: error.retryAfter, random: random())
    }

    /// Whether a job's content was not wanted yet.
    package func isSilent(_ key: JobKey) -> Bool {
        jobs[key]?.isSilent == true
    }

    /// Whether caches must be bypassed for the site's documents, because an earlier sync failed.
    package func isTroubled(_ key: JobKey) -> Bool {
        switch key {
        case .beacon(let beacon): troubles[beacon] != nil
        case .scope(let scope): prefetching.troubles[scope] != nil
        }
    }
}
