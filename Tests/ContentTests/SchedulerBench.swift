import Beacon
import Content
import SiteFormat
import Testing

/// A scheduler, and what it has asked for at its last input.
struct SchedulerBench {
    var scheduler: SyncScheduler
    var actions: [SyncScheduler.Action] = []

    init(random: Double = 1, _ adjust: (inout ContentSettings) -> Void = { _ in }) throws {
        var settings = try ContentSettings(baseURL: "https://example.org", directory: "/nowhere")
        adjust(&settings)
        scheduler = SyncScheduler(settings, random: { random })
    }

    /// To a millisecond, so that an instant is the same again.
    static func time(_ seconds: Double) -> Duration { .milliseconds(Int((seconds * 1000).rounded())) }

    mutating func make(_ input: (inout SyncScheduler) -> [SyncScheduler.Action]) { actions = input(&scheduler) }

    mutating func want(_ beacon: BeaconID?, at seconds: Double = 0, date: Double = 1e9) {
        make { $0.want(beacon, date: date, at: Self.time(seconds)) }
    }

    mutating func end(_ key: JobKey, _ error: ContentError, space: DiskSpace? = nil, at seconds: Double) {
        make { $0.ended(key, .failure(error), space: space, at: Self.time(seconds)) }
    }

    mutating func end(
        _ key: JobKey, fetched: Int = 0, unchanged: Bool = true, isNew: Bool = false, at seconds: Double
    ) {
        let summary = ContentSummary(
            scope: .uncategorized, fetchedAssets: fetched, fetchedBytes: 0, assets: 3, bytes: 0, unchanged: unchanged)
        make { $0.ended(key, .success(.ready(summary, isNew: isNew)), at: Self.time(seconds)) }
    }

    mutating func wake(at seconds: Double) { make { $0.wake(at: Self.time(seconds)) } }

    mutating func answerList(_ result: Result<StoredSite, ContentError>, at seconds: Double) {
        make { $0.listEnded(result, at: Self.time(seconds)) }
    }

    /// The schedule runs, with this list.
    mutating func start(_ site: StoredSite) {
        make { $0.start(at: .zero) }
        make { $0.stored(Learned(), revision: nil, at: .zero) }
        answerList(.success(site), at: 0)
    }

    /// The pass that has begun syncs these manifests.
    mutating func run(_ scopes: [ContentScope], at now: Duration = .zero) {
        var work = SitePass()
        work.waiting = scopes[...]
        make { $0.run(work, at: now) }
    }

    /// The wake-up that was asked for, in seconds.
    var wakeAt: Double? {
        actions.compactMap { action -> Double? in
            guard case .wake(let at?) = action else { return nil }
            return at / .seconds(1)
        }.last
    }

    var retryAfter: Double? {
        actions.compactMap { action -> Double? in
            if case .retry(_, _, let delay) = action { delay / .seconds(1) } else { nil }
        }.last
    }

    var syncs: [JobKey] { actions.compactMap { if case .sync(let key) = $0 { key } else { nil } } }
    var looks: [ContentScope] { actions.compactMap { if case .look(let scope, _) = $0 { scope } else { nil } } }
    var downloads: [AssetHash] {
        actions.compactMap { if case .download(let asset) = $0 { asset.sha256 } else { nil } }
    }
    var prunes: Int { actions.count { if case .prune = $0 { true } else { false } } }
    var fetches: Int { actions.count { if case .fetchList = $0 { true } else { false } } }
    var events: [String] { actions.compactMap { if case .event(let event) = $0 { Self.name(event) } else { nil } } }
    var siteEvents: [String] {
        actions.compactMap { action in
            guard case .siteEvent(let event) = action else { return nil }
            return switch event {
            case .changed(let revision): "changed \(revision)"
            case .refused(let error): "refused \(error.code.rawValue)"
            case .recovered: "recovered"
            case .failed(_, let error): "failed \(error.code.rawValue)"
            case .evicted(let scopes): "evicted \(scopes.count)"
            case .pruned: "pruned"
            }
        }
    }
    var status: SiteStatus? { actions.compactMap { if case .status(let status) = $0 { status } else { nil } }.last }
    var passProgress: [SiteProgress] {
        actions.compactMap { if case .siteProgress(let progress) = $0 { progress } else { nil } }
    }

    private static func name(_ event: ContentEvent) -> String {
        switch event {
        case .started: "started"
        case .progress(_, let progress):
            "\(progress.bytes)/\(progress.totalBytes) \(progress.assets)/\(progress.totalAssets)"
        case .ready: "ready"
        case .nothing: "nothing"
        case .failed(_, let error, _): "failed \(error.code.rawValue)"
        case .waiting: "waiting"
        case .recovered: "recovered"
        }
    }
}

// MARK: - What goes in

extension SchedulerBench {
    static func error(_ code: ContentError.Code, retryAfter: Double? = nil) -> ContentError {
        ContentError(
            code: code, place: "there", cause: "it fails", remedy: "try again",
            retryAfter: retryAfter.map { .seconds($0) })
    }

    static func beacon(_ minor: Int) -> BeaconID { BeaconID(uuid: hall.uuid, major: 4, minor: UInt16(minor)) }

    static func asset(_ number: Int, bytes: Int64 = 1000) -> ManifestAsset {
        ManifestAsset(sha256: SchedulerWorld.hash(of: "asset \(number)"), bytes: bytes)
    }

    /// A list with so many beacons, without assets.
    static func list(_ count: Int, hash: String = "list") throws -> StoredSite {
        let site = try SchedulerWorld.Site((0..<count).map { (beacon($0), []) }, hasList: true)
        return .list(try #require(site.list), SchedulerWorld.hash(of: hash))
    }
}
