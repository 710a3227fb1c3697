package import Beacon
package import Logging
import Platform
package import SiteFormat

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

    private let executor = QueueExecutor("beacond.content.sync")

    /// Long lists and manifests are read here.
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

    /// Decides everything; this actor carries its actions out.
    var scheduler: SyncScheduler
    /// What is under way.
    var tasks: [Work: Task<Void, Never>] = [:]
    /// Jobs that wait until their assets are there.
    var assetWaiters: [JobKey: CheckedContinuation<ContentError?, Never>] = [:]
    var listWaiters: [ListAsker: CheckedContinuation<Result<SiteList?, ContentError>, Never>] = [:]
    /// The sync of the whole site that is under way, and who is told how far it is.
    var passTask: Task<Result<SyncSummary, ContentError>, Never>?
    var passWaiter: CheckedContinuation<Void, Never>?
    var passProgress: (@Sendable (SiteProgress) -> Void)?
    /// Manifests that nobody waits for share a few connections.
    let documents = AsyncSemaphore(value: 8)
    var reportedStatus: SiteStatus?
    /// What is not asked for again before it can be kept.
    var tooLarge = TooLargeForQuota()

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
    /// Wanting the same beacon again validates its content again.
    package func want(_ beacon: BeaconID?) {
        let date = time.now().seconds
        feed { $0.want(beacon, date: date, at: $1) }
    }

    /// The beacons that are heard now, the nearest first. Their content is fetched in that order, behind that of
    /// the wanted one, once `start` was called.
    package func inRange(_ beacons: [BeaconID]) {
        feed { $0.inRange(beacons, at: $1) }
    }

    /// Begins to ask for the site list on a schedule, and to fetch in advance what the settings say.
    package func start() {
        feed { $0.start(at: $1) }
    }

    /// The network may be back, or somebody wants to know: what failed is tried again now.
    package func retryNow() {
        feed { $0.retryNow(at: $1) }
    }

    /// Stops all work and releases the store. What is complete is kept, what is not is continued by the next sync
    /// client; the events end.
    package func shutdown() async {
        guard !scheduler.isClosed else { return }
        feed { $0.close(at: $1) }
        writer.endWalks()
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
