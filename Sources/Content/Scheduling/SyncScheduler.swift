package import Beacon
package import SiteFormat

/// Decides what is fetched next, what is tried again and when, and what is reported.
///
/// Pure: an input and an instant go in, actions come out. The caller (`ContentSync`) starts a task for each action that
/// takes time, and passes its result back as another input. It decides nothing.
///
/// - A *job* is the sync of one beacon's content, or of one manifest in advance. `.sync` starts it. It asks for the
///   site list (`askForList`), then for its assets (`needs`), and ends (`ended`). There is one job for each key.
/// - A *transfer* fetches one asset, however many jobs need it. `.download` starts it, in the order and up to the
///   limits of `TransferQueue`. When the last asset of a job has ended, the job continues with `.finishAssets`.
///   An asset that the site does not deliver as promised is not requested for a while, for any job (`FailedAssets`).
/// - The *list* is requested once for all that ask at the same time, and by the schedule.
/// - *In advance*, manifests are synced by their rank: in range, likely next, pinned, the rest. None starts while the
///   server has asked for a pause, nothing can be stored, or a *pass* (a sync of the whole site) runs.
/// - *Deadlines* (of the next attempt for the wanted beacon, of work in advance, of the schedule) share one wake-up.
///   `.wake(at:)` gives the earliest one whenever it changes. Then `wake` has to be called at that instant.
///
/// Each input ends with `settle`, which starts whatever may run now, so that no input can forget it. After every input,
/// in any order, the following is true. A job, a transfer or the list is never requested twice at the same time. Wanted
/// content goes before content of a higher rank number, and that before the rest. No more transfers and manifests run
/// than the settings allow. Each `started` is followed by one `ready`, `nothing`, `failed` or `waiting`, unless the
/// failure was reported before and still lasts. While work is left, an action is running or a wake-up is set.
package struct SyncScheduler: Sendable {
    package enum Action: Sendable {
        /// Sync this key, then call `ended`.
        case sync(JobKey)
        /// Fetch this asset, then call `transferEnded`.
        case download(ManifestAsset)
        /// All assets that this job needs have ended; with the first error.
        case finishAssets(JobKey, ContentError?)
        /// Fetch the site list, then call `listEnded`.
        case fetchList(SiteAcceptance)
        case answerList(ListAsker, Result<SiteList?, ContentError>)
        /// Check whether the manifest and all of its assets are stored, then call `looked`.
        case look(ContentScope, SiteList)
        /// Measure the free space on the disk, then call `measured`.
        case measureSpace
        /// Read what the store has learned, then call `stored`.
        case readStored
        /// Save what was learned after a while, then call `saved`.
        case saveLearned(after: Duration)
        /// Remove what no manifest needs.
        case prune
        /// Remove unfinished files that no manifest names.
        case removeUnneededPartials
        /// No manifest of the pass is left.
        case passEnded
        case event(ContentEvent)
        case siteEvent(SiteEvent)
        case siteProgress(SiteProgress)
        case status(SiteStatus)
        /// A sync of this beacon is tried again after this delay; for the log.
        case retry(BeaconID?, ContentError, after: Duration)
        /// Call `wake` at this instant, and no longer at the one given before; nil means never.
        case wake(at: Duration?)
    }

    struct Wanted: Hashable {
        var beacon: BeaconID?
    }

    let settings: ContentSettings
    let random: @Sendable () -> Double
    var actions: [Action] = []
    var now: Duration = .zero
    package internal(set) var isClosed = false

    var wanted: Wanted? {
        didSet { if wanted != oldValue { ranking &+= 1 } }
    }
    /// A number that changes with the ranks of waiting assets.
    var ranking = 0
    var jobs: [JobKey: Job] = [:]
    var troubles: [BeaconID?: Trouble] = [:]
    /// The server cannot be reached, or answers only with errors. This is reported once for all beacons.
    var isOut = false
    package var isInOutage: Bool { isOut }
    /// The server asked not to be contacted before this instant.
    var pause: (until: Duration, error: ContentError)?
    /// When the wanted beacon's content is synced again.
    var wantedAt: Duration?

    var transfers: [AssetHash: Transfer] = [:]
    var transferQueue: TransferQueue
    var failedAssets = FailedAssets()

    var listing = Listing()
    var schedule: Schedule?
    /// The site's last answer in this run; nil before the first.
    var site: StoredSite?
    /// Manifests that a site without a list no longer has.
    var absences = Absences()
    var budget = RequestBudget()
    var health = SiteHealth()
    var status = SiteStatus()
    var room = RoomGate()
    var isMeasuring = false

    var prefetching = Prefetching()
    var learning = Learning()
    /// A sync of the whole site is running.
    var isPassing = false
    var pass: SitePass?
    /// The unusual changes that the running pass accepts.
    var acceptance: SiteAcceptance = []
    /// The wake-up that was requested last.
    private var wakeAt: Duration?

    /// - Parameter random: returns numbers in 0..<1 for the jitter.
    package init(_ settings: ContentSettings, random: @escaping @Sendable () -> Double) {
        self.settings = settings
        self.random = random
        transferQueue = TransferQueue(parallel: settings.parallelTransfers)
    }

    /// Handles one input, then starts what may run because of it.
    mutating func step(at now: Duration, _ body: (inout Self) -> Void) -> [Action] {
        self.now = now
        body(&self)
        settle()
        let next = isClosed ? nil : [wantedAt, prefetching.resumeAt, schedule?.nextAt].compactMap { $0 }.min()
        if next != wakeAt {
            wakeAt = next
            emit(.wake(at: next))
        }
        defer { actions = [] }
        return actions
    }

    mutating func emit(_ action: Action) {
        actions.append(action)
    }

    private mutating func settle() {
        guard !isClosed else { return }
        startTransfers()
        continuePass()
        prefetch()
    }

    /// The instant of `.wake` has come.
    package mutating func wake(at now: Duration) -> [Action] {
        wakeAt = nil
        return step(at: now) { scheduler in
            guard !scheduler.isClosed else { return }
            if let at = scheduler.wantedAt, at <= now {
                scheduler.wantedAt = nil
                if let wanted = scheduler.wanted { scheduler.start(wanted.beacon, quietly: true) }
            }
            if let at = scheduler.prefetching.resumeAt, at <= now {
                scheduler.prefetching.resumeAt = nil
                scheduler.measureSpaceIfFull()
            }
            if let at = scheduler.schedule?.nextAt, at <= now { scheduler.runSchedule() }
        }
    }

    /// Closes the scheduler: nothing starts any more. Jobs that wait for something that is not running get an error.
    /// The caller cancels what is running.
    package mutating func close(at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard !scheduler.isClosed else { return }
            scheduler.isClosed = true
            scheduler.failWaiting(with: .cancelled("assets"))
            scheduler.endPassIfDone()
        }
    }
}
