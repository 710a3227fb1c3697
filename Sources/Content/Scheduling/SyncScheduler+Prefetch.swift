package import Beacon
package import SiteFormat

/// What is fetched before it is wanted, and in which order.
struct Prefetching: Sendable {
    static let maximumInRange = 64
    static let maximumLikely = 4
    /// The rank of the rest of the site.
    static let idleRank = 1000

    /// The beacons in range, nearest first.
    var inRange: [BeaconID] = []
    /// The ranks of urgent manifests; 0 is that of the wanted beacon.
    var ranks: [ContentScope: Int] = [:]
    /// Manifests that are never evicted: those of the wanted beacon, of the likely next ones, and of the pinned ones.
    var kept: Set<ContentScope> = []
    /// Manifests that are complete, as the current list has them.
    var done: Set<ContentScope> = []
    /// Manifests that failed, how often, and until when they are not tried again.
    var troubles: [ContentScope: (failures: Int, until: Duration)] = [:]
    /// All manifests of the site in order; nil before they are needed.
    var order: [ContentScope]?
    /// How much of `order` was handled.
    var position = 0
    /// Nothing is fetched in advance before this, because the server cannot be reached.
    var pausedUntil: Duration?
    var failures = 0
    /// The manifests that are being checked or synced in advance.
    var running: Set<ContentScope> = []
    /// Those of them that are checked for a manifest that has changed meanwhile.
    var outdatedLooks: Set<ContentScope> = []
    /// The jobs that sync them.
    var jobs: [JobKey: ContentScope] = [:]
    var hasPruned = false
    /// What is no longer needed is being removed.
    var isPruning = false
    /// When there may be work again.
    var resumeAt: Duration?
}

extension SyncScheduler {
    /// Sets the beacons that are received now, nearest first.
    package mutating func inRange(_ beacons: [BeaconID], at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard !scheduler.isClosed else { return }
            scheduler.prefetching.inRange = Array(beacons.prefix(Prefetching.maximumInRange))
            scheduler.updateRanks()
        }
    }

    /// How long a sync can wait: 0 for the wanted beacon, then the beacons in range, the likely next ones, and the
    /// rest.
    package func rank(of key: JobKey) -> Int {
        switch key {
        case .beacon(let beacon): Wanted(beacon: beacon) == wanted ? 0 : beacon.flatMap { id in
            prefetching.ranks[.beacon(id)]
        } ?? Prefetching.idleRank / 2
        case .scope(let scope): prefetching.ranks[scope] ?? Prefetching.idleRank
        }
    }

    /// Calculates the ranks from the nearest beacon, those in range, what was learned, and the list.
    mutating func updateRanks() {
        var ranks: [ContentScope: Int] = [:]
        var kept: Set<ContentScope> = []
        func add(_ scope: ContentScope?, _ rank: Int, isKept: Bool) {
            guard let scope else { return }
            if isKept { kept.insert(scope) }
            if ranks[scope] == nil { ranks[scope] = rank }
        }
        if let wanted { add(scope(of: wanted.beacon), 0, isKept: true) }
        for (index, beacon) in prefetching.inRange.enumerated() { add(scope(of: beacon), 1 + index, isKept: false) }
        if let nearest = wanted?.beacon.flatMap({ scope(of: $0) }) ?? learning.lastNearest?.scope {
            let likely = learning.learned?.transitions.likely(after: nearest, limit: Prefetching.maximumLikely) ?? []
            for (index, next) in likely.enumerated() { add(next, 100 + index, isKept: true) }
        }
        for beacon in settings.pinned { add(scope(of: beacon), 200, isKept: true) }
        if ranks != prefetching.ranks { ranking &+= 1 }
        prefetching.ranks = ranks
        prefetching.kept = kept
    }

    /// The manifest that counts for a beacon. Without a list: the most specific one that there could be.
    func scope(of beacon: BeaconID?) -> ContentScope? {
        if let list = site?.list { return list.entry(for: beacon)?.scope }
        return beacon.map { .beacon($0) } ?? .uncategorized
    }

    /// The manifest that counts now for the scope of one that was needed.
    func scope(of former: ContentScope) -> ContentScope? {
        switch former {
        case .beacon(let beacon): return scope(of: beacon)
        case .uncategorized: return scope(of: nil)
        case .major, .uuid:
            guard let list = site?.list else { return former }
            return list.entries[former] == nil ? nil : former
        }
    }

    /// Starts as many syncs in advance as may run now.
    mutating func prefetch() {
        guard schedule != nil, settings.prefetch != .off, let site, !isPassing else { return }
        if case .untrusted = site { return }
        if room.isClosed { return resume(at: now + settings.maximumRetryPause) }
        if let until = [prefetching.pausedUntil, pause?.until].compactMap({ $0 }).max(), until > now {
            return resume(at: until)
        }
        let isBusy = wanted.map { jobs[.beacon($0.beacon)] != nil } ?? false
        let limit = isBusy ? 1 : max(settings.parallelManifests, 1)
        while prefetching.running.count < limit, let scope = nextScope(isBusy: isBusy) {
            // Without a list, any beacon that somebody sends costs the site requests.
            if site.list == nil, let wait = budget.take(at: now, leaving: RequestBudget.burst / 2) {
                return resume(at: now + wait)
            }
            prefetching.running.insert(scope)
            if let list = site.list { emit(.look(scope, list)) } else { syncInAdvance(scope) }
        }
        if prefetching.running.isEmpty, !isBusy { idle() }
    }

    private mutating func nextScope(isBusy: Bool) -> ContentScope? {
        // The wanted beacon has a sync of its own.
        let urgent = prefetching.ranks.filter { $0.value > 0 && isOpen($0.key) }.min { $0.value < $1.value }
        if let urgent { return urgent.key }
        guard settings.prefetch == .everything, !isBusy, let list = site?.list else { return nil }
        let order = prefetching.order ?? list.entries.keys.sorted()
        prefetching.order = order
        while prefetching.position < order.count {
            let scope = order[prefetching.position]
            prefetching.position += 1
            if isOpen(scope) { return scope }
        }
        return nil
    }

    private func isOpen(_ scope: ContentScope) -> Bool {
        !prefetching.done.contains(scope) && !prefetching.running.contains(scope)
            && (prefetching.troubles[scope]?.until ?? .zero) <= now
    }

    /// The result of `.look`: whether a manifest and all of its assets are stored as the list has them.
    package mutating func looked(_ scope: ContentScope, isComplete: Bool, at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard scheduler.prefetching.running.contains(scope), !scheduler.isClosed else { return }
            let isOutdated = scheduler.prefetching.outdatedLooks.remove(scope) != nil
            if isComplete {
                scheduler.prefetching.running.remove(scope)
                scheduler.noteComplete(scope, isOutdated: isOutdated)
            } else {
                scheduler.syncInAdvance(scope)
            }
        }
    }

    private mutating func syncInAdvance(_ scope: ContentScope) {
        let key = jobInAdvance(scope)
        prefetching.jobs[key] = scope
    }

    /// The job for a manifest that was not wanted yet. It may be one that is already running.
    mutating func jobInAdvance(_ scope: ContentScope) -> JobKey {
        let key: JobKey
        if site?.list != nil {
            key = .scope(scope)
        } else if let beacon = scope.beacon {
            key = .beacon(beacon)
        } else if scope == .uncategorized {
            key = .beacon(nil)
        } else {
            // A manifest of a whole major or UUID that is stored.
            key = .scope(scope)
        }
        if jobs[key] == nil {
            // A job for the wanted beacon replaces its next attempt, so it reports and tries again like any other.
            jobs[key] = Job(isQuiet: true, isSilent: key != wanted.map { .beacon($0.beacon) })
            emit(.sync(key))
        }
        return key
    }

    mutating func scopeEnded(_ scope: ContentScope, _ result: Result<SyncOutcome, ContentError>, _ space: DiskSpace?) {
        guard case .failure(let error) = result else { return health.contentAnswered(scope, nil) }
        health.contentAnswered(scope, error)
        guard !isClosed else { return }
        notePause(error)
        noteRoom(error, space, isReported: false)
    }

    /// Reports the end of a job to what waits for it.
    mutating func jobEnded(_ key: JobKey, _ result: JobResult, isOutdated: Bool) {
        if let scope = prefetching.jobs.removeValue(forKey: key) {
            prefetching.running.remove(scope)
            note(result, of: scope, isOutdated: isOutdated)
        }
        if let scope = pass?.running.removeValue(forKey: key) { notePass(result, of: scope, isOutdated: isOutdated) }
    }

    private static var transientFailureLimit: Int { 5 }

    private mutating func note(_ result: JobResult, of scope: ContentScope, isOutdated: Bool) {
        guard case .failed(let error) = result else {
            noteComplete(scope, isOutdated: isOutdated)
            prefetching.troubles[scope] = nil
            prefetching.failures = 0
            return
        }
        guard error.code != .cancelled, !isClosed else { return }
        // Nothing is fetched now. What did not fit is tried again with all the others.
        if error.code == .diskFull, room.isClosed { return }
        let failures = (prefetching.troubles[scope]?.failures ?? 0) + 1
        var delay = retryDelay(error, failures: failures)
        // There is room in the quota again after another list, or if others use less than was promised to them. Until
        // then, another attempt costs no request (`TooLargeForQuota`).
        if error.code == .quota { delay = settings.syncInterval ?? .seconds(300) }
        // Forged beacons must not fill the memory.
        if prefetching.troubles.count > Self.maximumTroubles {
            prefetching.troubles = prefetching.troubles.filter { mayBeFetched($0.key) }
        }
        prefetching.troubles[scope] = (failures, now + delay)
        // An outage is reported for the whole site. If a server fails only for this manifest, that is reported when it
        // lasts.
        if failures == (error.isTransient ? Self.transientFailureLimit : 1), !error.isTransient || !isOut {
            emit(.siteEvent(.failed(scope, error)))
        }
        if error.isTransient, error.code != .slow {
            prefetching.failures += 1
            prefetching.pausedUntil = now + retryDelay(error, failures: prefetching.failures)
        }
    }

    /// Nothing is left to fetch now. What is no longer needed is removed, and what has failed is tried again later.
    private mutating func idle() {
        let waiting = prefetching.troubles.filter { mayBeFetched($0.key) }
        if let until = waiting.values.map(\.until).min() {
            prefetching.position = 0
            resume(at: max(until, now + .milliseconds(10)))
        } else if !prefetching.hasPruned, !prefetching.isPruning, case .list? = site {
            prefetching.hasPruned = true
            prefetching.isPruning = true
            emit(settings.prefetch == .everything ? .prune : .removeUnneededPartials)
        }
    }

    /// Whether a manifest would be fetched in advance if it had not failed.
    private func mayBeFetched(_ scope: ContentScope) -> Bool {
        guard !prefetching.done.contains(scope) else { return false }
        return (prefetching.ranks[scope] ?? 0) > 0
            || settings.prefetch == .everything && site?.list?.entries[scope] != nil
    }

    /// The removal that started when nothing was left to do has ended.
    package mutating func pruned(at now: Duration) -> [Action] {
        step(at: now) { $0.prefetching.isPruning = false }
    }

    /// An earlier instant is kept: frequent calls must not postpone it for ever.
    private mutating func resume(at instant: Duration) {
        prefetching.resumeAt = min(prefetching.resumeAt ?? instant, instant)
    }
}
