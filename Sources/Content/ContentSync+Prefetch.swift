internal import Beacon

/// What is fetched before anybody wants it, and in which order.
struct Prefetching {
    static let maximumInRange = 64
    static let maximumLikely = 4
    /// The rank of the rest of the site.
    static let idleRank = 1000

    /// The nearest first.
    var inRange: [BeaconID] = []
    /// What is urgent, by rank; 0 is the wanted beacon's.
    var ranks: [ContentScope: Int] = [:]
    /// Manifests that are complete as the current list has them.
    var done: Set<ContentScope> = []
    /// What has failed, how often, and until when it is left alone, on the clock's time.
    var troubles: [ContentScope: (failures: Int, until: Duration)] = [:]
    /// The whole site in order; nil before it is needed.
    var order: [ContentScope]?
    /// How far the site is done.
    var position = 0
    /// Nothing is fetched in advance before this: the server cannot be reached.
    var pausedUntil: Duration?
    var failures = 0
    var running: Set<ContentScope> = []
    var hasPruned = false
    var timer: Task<Void, Never>?
}

extension ContentSync {
    /// How long a sync can wait: 0 for the wanted beacon's, then those in range, the likely next, the rest.
    func rank(of key: JobKey) -> Int {
        switch key {
        case .beacon(let beacon): Wanted(beacon: beacon) == wanted ? 0 : beacon.flatMap { id in
            prefetching.ranks[.beacon(id)]
        } ?? Prefetching.idleRank / 2
        case .scope(let scope): prefetching.ranks[scope] ?? Prefetching.idleRank
        }
    }

    /// Called whenever the nearest, those in range or the list have changed.
    func updateRanks() {
        var ranks: [ContentScope: Int] = [:]
        func add(_ beacon: BeaconID?, _ rank: Int) {
            guard let scope = scope(of: beacon), ranks[scope] == nil else { return }
            ranks[scope] = rank
        }
        if let wanted { add(wanted.beacon, 0) }
        for (index, beacon) in prefetching.inRange.enumerated() { add(beacon, 1 + index) }
        if let nearest = wanted?.beacon ?? lastNearest?.beacon {
            let likely = learned?.transitions.likely(after: nearest, limit: Prefetching.maximumLikely) ?? []
            for (index, beacon) in likely.enumerated() { add(beacon, 100 + index) }
        }
        for beacon in settings.pinned { add(beacon, 200) }
        prefetching.ranks = ranks
    }

    /// The manifest that counts for a beacon; without a list, the most exact one there could be.
    func scope(of beacon: BeaconID?) -> ContentScope? {
        if let list = site?.list { return list.entry(for: beacon)?.scope }
        return beacon.map { .beacon($0) } ?? .uncategorized
    }

    /// Starts as many syncs in advance as may run now. Called whenever that may have changed.
    func pump() {
        guard scheduler != nil, !isClosing, settings.prefetch != .off, let site, passTask == nil else { return }
        if case .untrusted = site { return }
        if room.isClosed {
            pumpLater(at: time.elapsed() + settings.maximumRetryPause)
            return
        }
        if let until = [prefetching.pausedUntil, pause?.until].compactMap({ $0 }).max(), until > time.elapsed() {
            pumpLater(at: until)
            return
        }
        let isBusy = wanted.map { jobs[.beacon($0.beacon)] != nil } ?? false
        let limit = isBusy ? 1 : max(settings.parallelManifests, 1)
        while prefetching.running.count < limit, let scope = nextScope(isBusy: isBusy) {
            // Without a list, anybody's beacon costs the site requests.
            if site.list == nil, let wait = budget.take(at: time.elapsed(), leaving: RequestBudget.burst / 2) {
                pumpLater(at: time.elapsed() + wait)
                break
            }
            prefetching.running.insert(scope)
            Task { await self.prefetch(scope) }
        }
        if prefetching.running.isEmpty, !isBusy { idle() }
    }

    private func nextScope(isBusy: Bool) -> ContentScope? {
        func isOpen(_ scope: ContentScope) -> Bool {
            !prefetching.done.contains(scope) && !prefetching.running.contains(scope)
                && (prefetching.troubles[scope]?.until ?? .zero) <= time.elapsed()
        }
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

    private func prefetch(_ scope: ContentScope) async {
        if let list = site?.list, await writer.incomplete([scope], list).isEmpty {
            prefetching.done.insert(scope)
        } else {
            note(await runInAdvance(scope), of: scope)
        }
        prefetching.running.remove(scope)
        pump()
    }

    private static var transientFailureLimit: Int { 5 }

    private func note(_ result: ScopeResult, of scope: ContentScope) {
        guard case .failed(let error) = result else {
            prefetching.done.insert(scope)
            prefetching.failures = 0
            return
        }
        guard error.code != .cancelled, !isClosing else { return }
        // Nobody gets anything now: what did not fit is tried again with all others.
        if error.code == .diskFull, room.isClosed { return }
        let failures = (prefetching.troubles[scope]?.failures ?? 0) + 1
        var delay = retryDelay(error, failures: failures)
        // Room below the quota may come with the next list; nothing else makes it. On the disk it may only have been
        // promised to others.
        if error.code == .quota { delay = settings.syncInterval ?? .seconds(300) }
        prefetching.troubles[scope] = (failures, time.elapsed() + delay)
        // An outage is told for the whole site; a server that only fails here is told when it goes on.
        if failures == (error.isTransient ? Self.transientFailureLimit : 1), !error.isTransient || !isOut {
            siteQueue.yield(.failed(scope, error))
        }
        if error.isTransient, error.code != .slow {
            prefetching.failures += 1
            prefetching.pausedUntil = time.elapsed() + retryDelay(error, failures: prefetching.failures)
        }
    }

    /// One sync of a manifest that nobody has wanted yet; several callers share it.
    func runInAdvance(_ scope: ContentScope) async -> ScopeResult {
        let key: JobKey
        if site?.list != nil {
            key = .scope(scope)
        } else if let beacon = scope.beacon {
            key = .beacon(beacon)
        } else if scope == .uncategorized {
            key = .beacon(nil)
        } else {
            return .nothing
        }
        if let job = jobs[key] { return await job.task.value }
        let task: Task<ScopeResult, Never>
        switch key {
        case .scope(let scope): task = Task { await self.run(scope) }
        case .beacon(let beacon): task = Task { await self.run(beacon) }
        }
        jobs[key] = Job(task: task, isQuiet: true, isSilent: true)
        return await task.value
    }

    private func run(_ scope: ContentScope) async -> ScopeResult {
        let key = JobKey.scope(scope)
        let result: ScopeResult
        do throws(ContentError) {
            try checkPause()
            try await checkRoom()
            result = ScopeResult(try await sync(scope))
            health.contentAnswered(scope, nil)
        } catch {
            health.contentAnswered(scope, error)
            notePause(error)
            await noteRoom(error, isTold: false)
            result = .failed(error)
        }
        await writer.releaseRoom(of: key)
        jobs[key] = nil
        startTransfers()
        tellStatus()
        return result
    }

    /// A sync of a beacon has ended: what it has fetched need not be fetched in advance.
    func finished(_ beacon: BeaconID?, _ result: ScopeResult) {
        switch result {
        case .failed: break
        default:
            prefetching.pausedUntil = nil
            if let scope = scope(of: beacon) { prefetching.done.insert(scope) }
        }
        pump()
    }

    /// Nothing is left to be fetched now: what is not needed any more goes, what has failed comes again later.
    private func idle() {
        if let until = prefetching.troubles.values.map(\.until).min() {
            prefetching.position = 0
            pumpLater(at: max(until, time.elapsed() + .milliseconds(10)))
        } else if !prefetching.hasPruned, case .list? = site {
            prefetching.hasPruned = true
            if settings.prefetch == .everything {
                Task { _ = try? await self.prune() }
            } else {
                Task { try? await writer.removeUnneededPartials(keeping: assetsInJobs()) }
            }
        }
    }

    private func pumpLater(at instant: Duration) {
        prefetching.timer?.cancel()
        prefetching.timer = Task {
            guard (try? await time.sleep(instant - time.elapsed())) != nil, !isClosing else { return }
            try? await checkRoom()
            guard !Task.isCancelled, !isClosing else { return }
            pump()
        }
    }
}
