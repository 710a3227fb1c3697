internal import Beacon
package import SiteFormat

/// The current request for the site list.
struct Listing: Sendable {
    var isRunning = false
    /// The askers that get the answer of the running request.
    var askers: [ListAsker] = []
    /// The askers that wait for a request of their own.
    var next: (askers: [ListAsker], accepting: SiteAcceptance)?
    /// Until when a missing site list is not asked for again.
    var absentUntil: Duration?
}

/// How the list is requested on a schedule, whether a beacon is near or not.
struct Schedule: Sendable {
    /// When the list is requested again; nil during a request, and before the store was read.
    var nextAt: Duration?
    var failures = 0
    /// The failure that was reported and has not ended.
    var reported: ContentError.Code?
}

// The site list: who asks for it and when, and what changes with a new one.
extension SyncScheduler {
    /// Requests the current list. Several askers share one request.
    ///
    /// - Parameter accepting: changes that look like a mistake, but are intended.
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
    /// - Parameter space: the free space, if the disk is full.
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

    /// Records the site's current list.
    private mutating func received(_ new: StoredSite) {
        let old = site
        site = new
        status.hasAnswered = true
        status.revision = new.list?.revision
        status.reports = new.list?.reports
        guard old == nil || old?.hash != new.hash else { return }
        joinLearned()
        outdate(from: old?.list, to: new.list)
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
    /// Starts requesting the list on a schedule, and fetching content in advance.
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

    /// An outage is reported once. The sync of the wanted beacon knows more about it, so it reports first.
    private func isNews(_ error: ContentError, _ schedule: Schedule) -> Bool {
        guard error.isTransient else { return schedule.reported != error.code }
        return schedule.reported?.isTransient != true && !isOut && schedule.failures > 1
    }
}

// MARK: - A site without a list

extension SyncScheduler {
    /// Takes a request for a manifest by its path. Returns nil if it may be made now, else how long to wait before
    /// asking again.
    package mutating func takeRequest(at now: Duration) -> Duration? {
        budget.take(at: now)
    }

    /// A manifest was found.
    package mutating func found(_ scope: ContentScope, at now: Duration) {
        absences.found(scope, at: now)
    }

    /// A stored manifest was not found on the server. Returns whether it may be removed.
    package mutating func isGone(_ scope: ContentScope, at now: Duration) -> Bool {
        acceptance.contains(.removals)
            || absences.isGone(scope, at: now, interval: settings.syncInterval ?? .seconds(300))
    }
}
