internal import Beacon
package import SiteFormat

/// The site list that is being asked for.
struct Listing: Sendable {
    var isRunning = false
    /// Who gets the answer that is on its way.
    var askers: [ListAsker] = []
    /// Who waits for one of its own.
    var next: (askers: [ListAsker], accepting: SiteAcceptance)?
    /// Until when a missing site list is not asked for again.
    var absentUntil: Duration?
}

/// How the list is asked for whoever is near.
struct Schedule: Sendable {
    /// When it is asked for again; nil while it is, and before the store was read.
    var nextAt: Duration?
    var failures = 0
    /// The failure that was reported, and lasts.
    var reported: ContentError.Code?
}

// The site list: who asks for it, when, and what another one changes.
extension SyncScheduler {
    /// Somebody needs the current list. Several share one request.
    ///
    /// - Parameter accepting: what is meant, though it looks like a mistake.
    package mutating func askForList(
        _ asker: ListAsker, accepting: SiteAcceptance = [], at now: Duration
    ) -> [Action] {
        step(at: now) { $0.ask(asker, accepting: accepting) }
    }

    private mutating func ask(_ asker: ListAsker, accepting: SiteAcceptance = []) {
        if isClosed { return answer(asker, .failure(.cancelled("site"))) }
        if accepting.isEmpty {
            if let until = listing.absentUntil, now < until { return answer(asker, .success(nil)) }
            if listing.isRunning { return listing.askers.append(asker) }
        } else if listing.isRunning {
            var next = listing.next ?? (askers: [], accepting: [])
            next.askers.append(asker)
            next.accepting.formUnion(accepting)
            listing.next = next
            return
        }
        listing.isRunning = true
        listing.askers.append(asker)
        emit(.fetchList(accepting))
    }

    private mutating func answer(
        _ asker: ListAsker, _ result: Result<SiteList?, ContentError>, _ space: DiskSpace? = nil
    ) {
        switch asker {
        case .schedule: return scheduleEnded(result, space)
        case .job(let key): if case .success = result { jobs[key]?.hasReachedServer = true }
        case .pass: break
        }
        emit(.answerList(asker, result))
    }

    /// The request for the list has ended.
    ///
    /// - Parameter space: how much room there is, where the disk is full.
    package mutating func listEnded(
        _ result: Result<StoredSite, ContentError>, space: DiskSpace? = nil, at now: Duration
    ) -> [Action] {
        step(at: now) { scheduler in
            guard scheduler.listing.isRunning else { return }
            scheduler.listing.isRunning = false
            scheduler.listing.absentUntil = nil
            switch result {
            case .success(let site):
                if case .none = site {
                    scheduler.listing.absentUntil = now + scheduler.settings.listAbsenceLifetime
                }
                scheduler.received(site)
                scheduler.health.listAnswered(nil)
            case .failure(let error):
                scheduler.health.listAnswered(error)
            }
            scheduler.updateStatus()
            let askers = scheduler.listing.askers
            scheduler.listing.askers = []
            for asker in askers { scheduler.answer(asker, result.map(\.list), space) }
            guard let next = scheduler.listing.next else { return }
            scheduler.listing.next = nil
            for asker in next.askers { scheduler.ask(asker, accepting: next.accepting) }
        }
    }

    /// Takes note of what the site has now.
    private mutating func received(_ new: StoredSite) {
        let old = site
        site = new
        status.revision = new.list?.revision
        status.reports = new.list?.reports
        guard old == nil || old?.hash != new.hash else { return }
        if let before = old?.list, let now = new.list {
            prefetching.done = prefetching.done.filter { before.entries[$0] == now.entries[$0] }
        } else {
            prefetching.done = []
        }
        prefetching.troubles = [:]
        failedAssets.forgetAll()
        prefetching.order = nil
        prefetching.position = 0
        prefetching.hasPruned = false
        health.listChanged()
        if old != nil, let list = new.list { emit(.siteEvent(.changed(revision: list.revision))) }
        updateRanks()
    }

    mutating func updateStatus() {
        status.problem = health.problem
        emit(.status(status))
    }
}

// MARK: - The schedule

extension SyncScheduler {
    /// From now on the list is asked for on a schedule, and content is fetched in advance.
    package mutating func start(at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard scheduler.schedule == nil, !scheduler.isClosed else { return }
            scheduler.schedule = Schedule()
            if scheduler.learning.learned == nil {
                scheduler.readStored()
            } else {
                scheduler.beginSchedule()
            }
        }
    }

    mutating func beginSchedule() {
        guard schedule != nil, !isClosed else { return }
        if site == nil {
            status.revision = learning.storedRevision
            updateStatus()
        }
        updateRanks()
        runSchedule()
    }

    mutating func runSchedule() {
        schedule?.nextAt = nil
        if let error = pauseRefusal(at: now) {
            scheduleEnded(.failure(error), nil)
        } else {
            ask(.schedule)
        }
    }

    private mutating func scheduleEnded(_ result: Result<SiteList?, ContentError>, _ space: DiskSpace?) {
        guard var schedule, !isClosed else { return }
        switch result {
        case .success(let list):
            schedule.failures = 0
            if let reported = schedule.reported {
                emit(.siteEvent(.recovered))
                if reported.isTransient { isOut = false }
            }
            schedule.reported = nil
            prefetching.pausedUntil = nil
            prefetching.position = 0
            if list == nil { prefetching.done = [] }
            schedule.nextAt = now + (settings.syncInterval.map { $0 * (0.9 + 0.2 * random()) } ?? .seconds(86400))
        case .failure(let error):
            schedule.failures += 1
            notePause(error)
            noteRoom(error, space, isReported: false)
            if isNews(error, schedule) {
                emit(.siteEvent(.refused(error)))
                schedule.reported = error.code
                if error.isTransient { isOut = true }
            }
            schedule.nextAt = now + retryDelay(error, failures: schedule.failures)
        }
        self.schedule = schedule
    }

    /// An outage is reported once, by whoever notices it: the wanted beacon's sync, which knows more, goes first.
    private func isNews(_ error: ContentError, _ schedule: Schedule) -> Bool {
        guard error.isTransient else { return schedule.reported != error.code }
        return schedule.reported?.isTransient != true && !isOut && schedule.failures > 1
    }
}

// MARK: - A site without a list

extension SyncScheduler {
    /// Whether a manifest may be asked for by its path now; else how long to wait before asking again.
    package mutating func takeRequest(at now: Duration) -> Duration? {
        budget.take(at: now)
    }

    /// A manifest is there.
    package mutating func found(_ scope: ContentScope, at now: Duration) {
        absences.found(scope, at: now)
    }

    /// A stored manifest is not there: whether it may be removed.
    package mutating func isGone(_ scope: ContentScope, at now: Duration) -> Bool {
        acceptance.contains(.removals)
            || absences.isGone(scope, at: now, interval: settings.syncInterval ?? .seconds(300))
    }
}
