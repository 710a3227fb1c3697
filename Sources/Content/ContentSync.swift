package import Beacon
package import Logging
import Platform

/// Keeps a store in step with a site: the content of the beacon that is wanted is fetched at once, and what is
/// likely to be wanted next before that.
///
/// `want` starts a sync of a beacon's content. One that is under way for a former beacon goes on behind it, one
/// asset at a time. A failed sync of the wanted beacon is tried again with growing pauses; its old content stays
/// usable all the time, since a manifest is replaced only when all assets of the new one are there.
///
/// `start` adds what happens without anybody asking: the site list is asked for on a schedule, and content is
/// fetched in advance (`ContentSettings.prefetch`). `syncAll` does the whole site at once and sums up.
///
/// What happens is told as events, not logged: the logger gets requests and retries at level debug.
package actor ContentSync {
    /// About the content of the wanted beacons; for one reader. Ends after `shutdown`.
    package nonisolated let events: AsyncStream<ContentEvent>
    /// About the site as a whole; for one reader, who may miss the oldest if he is slow. Ends after `shutdown`.
    package nonisolated let siteEvents: AsyncStream<SiteEvent>

    /// How the site is, whenever that changes: the newest, for one reader. Ends after `shutdown`.
    package nonisolated let statuses: AsyncStream<SiteStatus>

    let settings: ContentSettings
    let store: ContentStore
    let logger: Logger
    let time: ContentTime
    let random: @Sendable () -> Double
    let queue = EventQueue()
    let siteQueue: AsyncStream<SiteEvent>.Continuation
    let statusQueue: AsyncStream<SiteStatus>.Continuation
    let writer: StoreWriter
    let fetcher: Fetcher
    let transferred = ByteCounter()
    private let clients: HTTPClients

    struct Wanted: Hashable {
        var beacon: BeaconID?
    }
    var wanted: Wanted?
    var jobs: [JobKey: Job] = [:]
    var transfers: [AssetHash: Transfer] = [:]
    var transferQueue: TransferQueue
    let documents = AsyncSemaphore(value: 8)

    /// The site list that is being asked for, so that several beacons share one request.
    var siteRequest: (number: Int, task: Task<Result<SiteList?, ContentError>, Never>)?
    var siteRequests = 0
    /// Until when a missing site list is not asked for again, on the clock's time.
    var siteAbsentUntil: Duration?
    /// What the site said last in this run; nil before its first answer.
    var site: StoredSite?
    /// Manifests that a site without a list does not have any more.
    var absences = Absences()
    var health = SiteHealth()
    var room = RoomGate()
    var budget = RequestBudget()
    var status = SiteStatus()
    var toldStatus: SiteStatus?
    /// What is meant by the sync of the whole site that is under way.
    var acceptance: SiteAcceptance = []

    var troubles: [BeaconID?: Trouble] = [:]
    /// The server cannot be reached, or answers nothing but errors. Told once for all beacons.
    var isOut = false
    /// The server asked not to be asked again before this, on the clock's time.
    var pause: (until: Duration, error: ContentError)?
    var timer: Task<Void, Never>?
    var isClosing = false

    var prefetching = Prefetching()
    var learned: Learned?
    var lastNearest: (beacon: BeaconID, at: Duration)?
    var learnedSaver: Task<Void, Never>?
    var scheduler: Task<Void, Never>?
    var scheduleSleep: Task<Void, Never>?
    var pass: SiteSync?
    var passTask: Task<Result<SyncSummary, ContentError>, Never>?

    /// Opens the store for writing, and starts nothing yet. Call `shutdown` before letting go of it.
    ///
    /// - Parameters:
    ///   - settings: where the content comes from, and the limits.
    ///   - store: where it goes to.
    ///   - logger: gets details at level debug.
    ///   - time: the clocks, for tests.
    ///   - random: numbers from 0 up to 1 for the jitter, for tests.
    /// - Throws: `ContentError`: `.locked` where another process syncs into the store, `.storage` where it cannot
    ///   be written, `.settings` where a certificate file or a pinned key is unusable.
    package init(
        settings: ContentSettings, store: ContentStore, logger: Logger, time: ContentTime = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(ContentError) {
        self.settings = settings
        self.store = store
        self.logger = logger
        self.time = time
        self.random = random
        events = queue.stream
        (statuses, statusQueue) = AsyncStream<SiteStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (siteEvents, siteQueue) = AsyncStream<SiteEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        transferQueue = TransferQueue(parallel: settings.parallelTransfers)
        clients = try HTTPClients(settings)
        do throws(ContentError) {
            writer = try StoreWriter(store, keys: settings.publicKeys)
        } catch {
            let clients = clients
            Task { try? await clients.shutdown() }
            throw error
        }
        fetcher = Fetcher(
            clients: clients, settings: settings, time: time, random: random, logger: logger,
            deadlines: Deadlines(time: time))
    }

    /// The nearest beacon has changed; nil means that none is near. Returns at once.
    ///
    /// Wanting the same beacon again validates its content again.
    package func want(_ beacon: BeaconID?) {
        guard !isClosing else { return }
        wanted = Wanted(beacon: beacon)
        timer?.cancel()
        Task { await learn(beacon) }
        updateRanks()
        start(beacon, quietly: false)
        startTransfers()
        pump()
    }

    /// The beacons that are heard now, the nearest first. Their content is fetched in that order, behind that of
    /// the wanted one, once `start` was called.
    package func inRange(_ beacons: [BeaconID]) {
        guard !isClosing else { return }
        prefetching.inRange = Array(beacons.prefix(Prefetching.maximumInRange))
        updateRanks()
        pump()
    }

    /// Begins to ask for the site list on a schedule, and to fetch in advance what the settings say.
    package func start() {
        guard scheduler == nil, !isClosing else { return }
        scheduler = Task { await self.schedule() }
    }

    /// The network may be back, or somebody wants to know: what failed is tried again now.
    package func retryNow() {
        guard !isClosing else { return }
        prefetching.troubles = [:]
        prefetching.pausedUntil = nil
        scheduleSleep?.cancel()
        if let wanted, troubles[wanted.beacon] != nil { start(wanted.beacon, quietly: true) }
    }

    /// Stops all work and releases the store. What is complete is kept, what is not is continued by the next sync
    /// client; the events end.
    package func shutdown() async {
        guard !isClosing else { return }
        isClosing = true
        writer.endWalks()
        for task in [timer, scheduler, scheduleSleep, prefetching.timer, learnedSaver] { task?.cancel() }
        siteRequest?.task.cancel()
        for job in jobs.values { job.task.cancel() }
        cancelTransfers()
        for job in Array(jobs.values) { _ = await job.task.value }
        for transfer in Array(transfers.values) { await transfer.task?.value }
        _ = await passTask?.value
        await scheduler?.value
        if let learned { try? await writer.save(learned) }
        await writer.close()
        do {
            try await clients.shutdown()
        } catch {
            logger.debug("the HTTP client did not shut down cleanly", metadata: ["error": "\(error)"])
        }
        queue.finish()
        siteQueue.finish()
        statusQueue.finish()
    }
}
