package import Beacon
package import SiteFormat

/// What is fetched next, what is tried again and when, and what is reported of it.
///
/// Pure: an input and an instant go in, actions come out. The caller (`ContentSync`) starts a task for each action
/// that takes time and hands its result back as another input; it decides nothing.
///
/// - A *job* is the sync of one beacon's content, or of one manifest in advance. `.sync` starts it. It asks for the
///   site list (`askForList`), for its assets (`needs`), and ends (`ended`). There is one job a key.
/// - A *transfer* is one asset on its way, whoever and however many jobs need it. `.download` starts it, in the order
///   and up to the limits of `TransferQueue`. When the last asset of a job has ended, `.finishAssets` lets it go on.
///   One that the site does not give as promised is left alone for a while, whoever needs it (`FailedAssets`).
/// - The *list* is asked for once for all who ask at the same time, and by the schedule.
/// - *In advance*, manifests are synced by their rank: in range, likely next, pinned, the rest. None starts while the
///   server asked for a pause, nothing can be kept, or a *pass* (a sync of the whole site) runs.
/// - *Deadlines* (the next try for the wanted beacon, for what is in advance, of the schedule) are one wake-up:
///   `.wake(at:)` gives the earliest whenever that changes, and `wake` is due then.
///
/// Each input ends with `settle`, which starts whatever may run now, so that no input can forget it. What holds after
/// each of them, in every order: a job, a transfer or the list is never asked for twice at the same time; what is
/// wanted goes before what is nearer in rank, and that before the rest; no more transfers and manifests run than the
/// settings say; each `started` is followed by one `ready`, `nothing`, `failed` or `waiting`, unless the failure was
/// reported before and still lasts; while anything is left to do, an action is under way or a wake-up is set.
package struct SyncScheduler: Sendable {
    package enum Action: Sendable {
        /// Sync this, then call `ended`.
        case sync(JobKey)
        /// Fetch this asset, then call `transferEnded`.
        case download(ManifestAsset)
        /// The assets that this job needs have ended, with the first failure.
        case finishAssets(JobKey, ContentError?)
        /// Fetch the site list, then call `listEnded`.
        case fetchList(SiteAcceptance)
        case answerList(ListAsker, Result<SiteList?, ContentError>)
        /// See whether the manifest and all of its assets are there, then call `looked`.
        case look(ContentScope, SiteList)
        /// See how much room there is on the disk, then call `measured`.
        case measureSpace
        /// Read what the store knows, then call `stored`.
        case readStored
        /// Save what was learned in a while, then call `saved`.
        case saveLearned
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
        /// A sync of this beacon is tried again after this delay: for the log.
        case retry(BeaconID?, ContentError, after: Duration)
        /// Call `wake` then, and not at the instant that was given before; nil for never.
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

    var wanted: Wanted?
    var jobs: [JobKey: Job] = [:]
    var troubles: [BeaconID?: Trouble] = [:]
    /// The server cannot be reached, or answers nothing but errors. Reported once for all beacons.
    var isOut = false
    package var isInOutage: Bool { isOut }
    /// The server asked not to be asked again before this.
    var pause: (until: Duration, error: ContentError)?
    /// When the wanted beacon's content is synced again.
    var wantedAt: Duration?

    var transfers: [AssetHash: Transfer] = [:]
    var transferQueue: TransferQueue
    var failedAssets = FailedAssets()

    var listing = Listing()
    var schedule: Schedule?
    /// What the site said last in this run; nil before its first answer.
    var site: StoredSite?
    /// Manifests that a site without a list does not have any more.
    var absences = Absences()
    var budget = RequestBudget()
    var health = SiteHealth()
    var status = SiteStatus()
    var room = RoomGate()
    var isMeasuring = false

    var prefetching = Prefetching()
    var learning = Learning()
    /// A sync of the whole site is under way.
    var isPassing = false
    var pass: SitePass?
    /// What is meant by it.
    var acceptance: SiteAcceptance = []
    /// The wake-up that was asked for last.
    private var wakeAt: Duration?

    /// - Parameter random: numbers from 0 up to 1 for the jitter.
    package init(_ settings: ContentSettings, random: @escaping @Sendable () -> Double) {
        self.settings = settings
        self.random = random
        transferQueue = TransferQueue(parallel: settings.parallelTransfers)
    }

    /// One input: what has happened, then what may run because of it.
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

    /// The instant that `.wake` gave has come.
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

    /// Nothing starts any more. Whoever waits for something that is not under way gets an error; what is under way is
    /// cancelled by the caller.
    package mutating func close(at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard !scheduler.isClosed else { return }
            scheduler.isClosed = true
            scheduler.failWaiting(with: .cancelled("assets"))
            scheduler.endPassIfDone()
        }
    }
}
