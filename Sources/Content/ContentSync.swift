internal import AsyncHTTPClient
public import Beacon
public import Logging
internal import NIOCore

/// Keeps a store in step with a site: the content of the beacon that is wanted is fetched at once.
///
/// `want` starts a sync of a beacon's content. One that is under way for a former beacon goes on behind it, one
/// asset at a time. A failed sync of the wanted beacon is tried again with growing pauses; its old content stays
/// usable all the time, since a manifest is replaced only when all assets of the new one are there.
///
/// What happens is told as events, not logged: the logger gets requests and retries at level debug.
public actor ContentSync {
    /// For one reader. Ends after `shutdown`.
    public nonisolated let events: AsyncStream<ContentEvent>

    let settings: ContentSettings
    let store: ContentStore
    let logger: Logger
    let time: ContentTime
    let random: @Sendable () -> Double
    let queue = EventQueue()
    let writer: StoreWriter
    let fetcher: Fetcher
    private let client: HTTPClient

    struct Wanted: Hashable {
        var beacon: BeaconID?
    }
    var wanted: Wanted?
    var jobs: [BeaconID?: Job] = [:]
    var transfers: [AssetHash: Transfer] = [:]
    var transferQueue: TransferQueue

    /// The site list that is being asked for, so that several beacons share one request.
    var siteRequest: Task<Result<SiteList?, ContentError>, Never>?
    /// Until when a missing site list is not asked for again, on the clock's time.
    var siteAbsentUntil: Duration?

    private var troubles: [BeaconID?: Trouble] = [:]
    /// The server cannot be reached, or answers nothing but errors. Told once for all beacons.
    private var isOut = false
    /// The server asked not to be asked again before this, on the clock's time.
    private var pause: (until: Duration, error: ContentError)?
    private var timer: Task<Void, Never>?
    private var isClosing = false

    /// Opens the store for writing, and starts nothing yet. Call `shutdown` before letting go of it.
    ///
    /// - Parameters:
    ///   - settings: where the content comes from, and the limits.
    ///   - store: where it goes to.
    ///   - logger: gets details at level debug.
    ///   - time: the clocks, for tests.
    ///   - random: numbers from 0 up to 1 for the jitter, for tests.
    /// - Throws: `ContentError`: `.locked` where another process syncs into the store, `.storage` where it cannot
    ///   be written.
    public init(
        settings: ContentSettings, store: ContentStore, logger: Logger, time: ContentTime = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(ContentError) {
        self.settings = settings
        self.store = store
        self.logger = logger
        self.time = time
        self.random = random
        events = queue.stream
        transferQueue = TransferQueue(parallel: settings.parallelTransfers)
        writer = try StoreWriter(store)
        client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: Self.clientConfiguration(settings))
        fetcher = Fetcher(client: client, settings: settings, time: time, random: random, logger: logger)
    }

    /// The nearest beacon has changed; nil means that none is near. Returns at once.
    ///
    /// Wanting the same beacon again validates its content again.
    public func want(_ beacon: BeaconID?) {
        guard !isClosing else { return }
        wanted = Wanted(beacon: beacon)
        timer?.cancel()
        start(beacon, quietly: false)
        startTransfers()
    }

    /// Stops all work and releases the store. What is complete is kept; the events end.
    public func shutdown() async {
        guard !isClosing else { return }
        isClosing = true
        timer?.cancel()
        siteRequest?.cancel()
        for job in jobs.values { job.task.cancel() }
        cancelTransfers()
        for job in Array(jobs.values) { await job.task.value }
        for transfer in Array(transfers.values) { await transfer.task?.value }
        await writer.close()
        do {
            try await client.shutdown()
        } catch {
            logger.debug("the HTTP client did not shut down cleanly", metadata: ["error": "\(error)"])
        }
        queue.finish()
    }

    private static func clientConfiguration(_ settings: ContentSettings) -> HTTPClient.Configuration {
        var pool = HTTPClient.Configuration.ConnectionPool(idleTimeout: .seconds(30))
        // The pool is first come, first served; the order of transfers is decided before they come here.
        pool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // Retries are made here, where they can be told and counted.
        pool.retryConnectionEstablishment = false
        return HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(settings.connectTimeout), read: TimeAmount(settings.idleTimeout),
                write: TimeAmount(settings.idleTimeout)),
            connectionPool: pool)
    }
}

// MARK: - Jobs

extension ContentSync {
    /// The sync of one beacon's content.
    struct Job {
        var task: Task<Void, Never>
        /// A revalidation or a retry: `started` is not told.
        var isQuiet: Bool
        /// The server has answered in this run.
        var hasReachedServer = false
        /// The assets that have to be fetched, and their sizes.
        var needed: [AssetHash: Int64] = [:]
        /// Those of them that are in place.
        var complete: Set<AssetHash> = []
        var progressToldAt: Duration?
    }

    enum Outcome {
        case ready(ContentSummary)
        case nothing
    }

    /// What is going wrong with a beacon's content, and what was told of it.
    private struct Trouble {
        var failures = 0
        var told: ContentError.Code?
        var isOutage = false
    }

    /// Whether the site's documents must come past caches: something went wrong with them before.
    func isTroubled(_ beacon: BeaconID?) -> Bool {
        troubles[beacon] != nil
    }

    private func start(_ beacon: BeaconID?, quietly: Bool) {
        if let job = jobs[beacon] {
            if job.isQuiet, !quietly {
                jobs[beacon]?.isQuiet = false
                queue.push(.started(beacon))
            }
            return
        }
        if !quietly { queue.push(.started(beacon)) }
        jobs[beacon] = Job(task: Task { await self.run(beacon) }, isQuiet: quietly)
    }

    private func run(_ beacon: BeaconID?) async {
        var delay: Duration?
        do throws(ContentError) {
            if let pause, pause.until > time.elapsed() {
                var error = pause.error
                error.retryAfter = pause.until - time.elapsed()
                throw error
            }
            succeeded(beacon, try await sync(beacon))
            delay = settings.revalidationInterval
        } catch {
            if error.code != .cancelled, !isClosing { delay = await failed(beacon, error) }
        }
        jobs[beacon] = nil
        startTransfers()
        if let delay { again(beacon, after: delay) }
    }

    private func again(_ beacon: BeaconID?, after delay: Duration) {
        guard wanted == Wanted(beacon: beacon), !isClosing else { return }
        timer?.cancel()
        timer = Task {
            guard (try? await time.sleep(delay)) != nil, wanted == Wanted(beacon: beacon), !isClosing else { return }
            start(beacon, quietly: true)
        }
    }

    private func succeeded(_ beacon: BeaconID?, _ outcome: Outcome) {
        pause = nil
        let hadTrouble = troubles.removeValue(forKey: beacon)?.told != nil
        if isOut || hadTrouble { queue.push(.recovered(beacon)) }
        if isOut {
            isOut = false
            troubles = troubles.filter { !$0.value.isOutage }
        }
        let isQuiet = jobs[beacon]?.isQuiet == true && !hadTrouble
        switch outcome {
        case .ready(let summary):
            if !isQuiet || !summary.unchanged || summary.fetchedAssets > 0 { queue.push(.ready(beacon, summary)) }
        case .nothing:
            if !isQuiet { queue.push(.nothing(beacon)) }
        }
    }

    /// Tells a failure, if it is news.
    ///
    /// - Returns: when to try again.
    private func failed(_ beacon: BeaconID?, _ error: ContentError) async -> Duration {
        let stillHasOld = await writer.hasContent(for: beacon)
        let hasReachedServer = jobs[beacon]?.hasReachedServer == true
        var trouble = troubles[beacon] ?? Trouble()
        trouble.failures += 1
        if error.isTransient, !hasReachedServer {
            if trouble.told == nil {
                queue.push(
                    isOut
                        ? .waiting(beacon, stillHasOld: stillHasOld)
                        : .failed(beacon, error, stillHasOld: stillHasOld))
                trouble.told = error.code
            }
            trouble.isOutage = true
            isOut = true
        } else if trouble.told != error.code {
            queue.push(.failed(beacon, error, stillHasOld: stillHasOld))
            trouble.told = error.code
            trouble.isOutage = false
        }
        // Forged beacons must not fill the memory during a long outage.
        if troubles.count > 4096 { troubles = troubles.filter { Wanted(beacon: $0.key) == wanted } }
        troubles[beacon] = trouble

        if let retryAfter = error.retryAfter, error.isTransient, (pause?.until ?? .zero) <= time.elapsed() {
            pause = (time.elapsed() + min(retryAfter, settings.maximumRetryAfter), error)
        }
        // What only the site's owner can mend is asked for ever more rarely.
        let mendsItself = error.isTransient || error.code == .diskFull || error.code == .storage
        let policy = RetryPolicy(
            pause: settings.retryPause,
            maximum: mendsItself
                ? settings.maximumRetryPause : max(settings.maximumRetryPause, settings.revalidationInterval ?? .zero),
            maximumRetryAfter: settings.maximumRetryAfter)
        let delay = policy.delay(failures: trouble.failures, retryAfter: error.retryAfter, random: random())
        logger.debug(
            "sync failed",
            metadata: [
                "beacon": "\(beacon.map(\.description) ?? "none")", "error": "\(error)", "retry": "\(delay)",
            ])
        return delay
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .milliseconds(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
