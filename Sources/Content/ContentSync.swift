package import Beacon
package import Logging
import Platform
package import SiteFormat

/// Keeps a store in sync with a site. The content of the wanted beacon is fetched at once. Content that is likely to be
/// wanted next is fetched in advance.
///
/// `want` starts a sync of a beacon's content. A running sync for a former beacon continues with lower priority, one
/// asset at a time. A failed sync of the wanted beacon is tried again after growing pauses. Its old content stays
/// usable all the time, because a manifest is replaced only when all assets of the new one are stored.
///
/// `start` adds what happens by itself: the site list is requested on a schedule, and content is fetched in advance
/// (`ContentSettings.prefetch`). `syncAll` syncs the whole site at once and returns a summary.
///
/// Results are reported as events, not logged. The logger gets requests and retries at level debug.
package actor ContentSync {
    /// Events about the content of the wanted beacons, for one reader. Ends after `shutdown`.
    package nonisolated let events: AsyncStream<ContentEvent>
    /// Events about the site as a whole, for one reader. A slow reader may miss the oldest ones. Ends after `shutdown`.
    package nonisolated let siteEvents: AsyncStream<SiteEvent>

    /// The status of the site, whenever it changes. Only the newest is kept, for one reader. Ends after `shutdown`.
    package nonisolated let statuses: AsyncStream<SiteStatus>

    private let executor = QueueExecutor("beacond.content.sync")

    /// Long lists and manifests are decoded on this queue, not in the cooperative thread pool.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let settings: ContentSettings
    let store: ContentStore
    let logger: Logger
    let time: ContentTime
    let queue = EventQueue()
    let siteQueue: AsyncStream<SiteEvent>.Continuation
    let statusQueue: AsyncStream<SiteStatus>.Continuation
    let writer: StoreWriter
    let fetcher: Fetcher
    let transferred = ByteCounter()
    private let clients: HTTPClients

    /// Makes all decisions. This actor carries out its actions.
    var scheduler: SyncScheduler
    /// The running tasks.
    var tasks: [Work: Task<Void, Never>] = [:]
    /// Jobs that wait until their assets are there.
    var assetWaiters: [JobKey: CheckedContinuation<ContentError?, Never>] = [:]
    var listWaiters: [ListAsker: CheckedContinuation<Result<SiteList?, ContentError>, Never>] = [:]
    /// The running sync of the whole site, and the callback that receives its progress.
    var passTask: Task<Result<SyncSummary, ContentError>, Never>?
    var passWaiter: CheckedContinuation<Void, Never>?
    var passProgress: (@Sendable (SiteProgress) -> Void)?
    /// Manifests that are fetched in advance share a few connections.
    let documents = AsyncSemaphore(value: 8)
    var reportedStatus: SiteStatus?
    /// The end of all work, from the first call of `shutdown` on.
    private var ending: Task<Void, Never>?
    /// Manifests that are not requested again before they can be stored.
    var tooLarge = TooLargeForQuota()

    /// Opens the store for writing. It does not start anything yet. Call `shutdown` before releasing it.
    ///
    /// - Parameters:
    ///   - settings: the source of the content, and the limits.
    ///   - store: the store to write to.
    ///   - logger: gets details at level debug.
    ///   - time: the clocks, for tests.
    ///   - random: returns numbers in 0..<1 for the jitter; for tests.
    /// - Throws: `ContentError`: `.locked` if another process syncs into the store, `.storage` if it cannot be written,
    ///   `.settings` if a certificate file or a pinned key cannot be used.
    package init(
        settings: ContentSettings, store: ContentStore, logger: Logger, time: ContentTime = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(ContentError) {
        self.settings = settings
        self.store = store
        self.logger = logger
        self.time = time
        events = queue.stream
        (statuses, statusQueue) = AsyncStream<SiteStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (siteEvents, siteQueue) = AsyncStream<SiteEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        scheduler = SyncScheduler(settings, random: random)
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
    /// If the beacon is the same as before, its content is validated again.
    package func want(_ beacon: BeaconID?) {
        let date = time.now().seconds
        feed { $0.want(beacon, date: date, at: $1) }
    }

    /// Sets the beacons that are received now, nearest first. After `start`, their content is fetched in this order,
    /// after that of the wanted beacon.
    package func inRange(_ beacons: [BeaconID]) {
        feed { $0.inRange(beacons, at: $1) }
    }

    /// Starts requesting the site list on a schedule, and fetching in advance according to the settings.
    package func start() {
        feed { $0.start(at: $1) }
    }

    /// Tries everything that failed again now, for example because the network may be back.
    package func retryNow() {
        feed { $0.retryNow(at: $1) }
    }

    /// Stops all work and releases the store. Complete content is kept; the next sync client continues the rest. The
    /// events end. Each call returns when that is done.
    package func shutdown() async {
        if ending == nil {
            feed { $0.close(at: $1) }
            writer.endWalks()
            ending = Task { await stopWork() }
        }
        await ending?.value
    }

    private func stopWork() async {
        let tasks = Array(tasks.values)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        _ = await passTask?.value
        if let learned = scheduler.takeLearned() { try? await writer.save(learned) }
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
