import Beacon
import Content
import SiteFormat

/// A site, a store and a network around a `SyncScheduler`, without any of them: what the scheduler asks for is kept
/// until a move lets it succeed or fail. After each move, what must always hold is checked.
struct SchedulerWorld {
    /// What can happen next.
    enum Move: Hashable {
        case want(BeaconID?)
        case inRange([BeaconID])
        case start, retryNow, pass, damage, close
        /// The instant of the wake-up comes.
        case wake
        /// The disk has room, or none.
        case room(Bool)
        /// Whoever syncs the whole site takes its next step.
        case passStep
        /// What is under way ends.
        case list(Result), stored, saved, space, pruned
        case look(ContentScope)
        /// A job takes its next step; what it may fail with is decided by the network.
        case job(JobKey)
        case download(AssetHash, Result), leaveNetwork(AssetHash)
    }

    enum Result: Hashable {
        case success, connection, refused, diskFull

        var error: ContentError? {
            let code: ContentError.Code
            switch self {
            case .success: return nil
            case .connection: code = .connection
            case .refused: code = .refused
            case .diskFull: code = .diskFull
            }
            return ContentError(code: code, place: "there", cause: "it fails", remedy: "try again")
        }
    }

    enum JobPhase: Hashable {
        case begun, asking
        case answered(ContentError?)
        case fetching
        case fetched(ContentError?)
    }

    enum PassPhase: Hashable {
        case asking
        case answered(ContentError?)
        case running, ended
    }

    /// What the site has: the assets of each beacon's manifest.
    struct Site {
        var assets: [ContentScope: [ManifestAsset]] = [:]
        var list: SiteList?

        /// - Parameter manifests: which assets each beacon's manifest names.
        init(_ manifests: [(BeaconID, [Int])], hasList: Bool) throws {
            for (beacon, numbers) in manifests {
                assets[.beacon(beacon)] = numbers.map {
                    ManifestAsset(sha256: SchedulerWorld.hash(of: "asset \($0)"), bytes: 1000)
                }
            }
            guard hasList else { return }
            let lines = manifests.map { beacon, _ in
                """
                {"uuid": "\(beacon.uuid)", "major": \(beacon.major), "minor": \(beacon.minor),
                 "manifest": "v1/\(beacon.minor).json", "sha256": "\(SchedulerWorld.hash(of: "\(beacon)"))"}
                """
            }
            let json = #"{"format": 1, "revision": 1, "beacons": ["# + lines.joined(separator: ",") + "]}"
            list = try SiteList(json: Array(json.utf8))
        }
    }

    let site: Site
    let settings: ContentSettings
    /// All that there can be, in an order that is the same in each run.
    let scopes: [ContentScope], keys: [JobKey], hashes: [AssetHash]
    /// A beacon of which the site knows nothing.
    static let stranger = BeaconID(uuid: hall.uuid, major: 9, minor: 99)

    var scheduler: SyncScheduler
    var now: Duration = .zero
    /// The disk has no room.
    var isFull = false

    var jobs: [JobKey: JobPhase] = [:]
    var looks: Set<ContentScope> = []
    var downloads: Set<AssetHash> = []
    /// Downloads that are only flushed.
    var flushing: Set<AssetHash> = []
    var needs: [JobKey: Set<AssetHash>] = [:]
    var isListing = false, isReading = false, isMeasuring = false, isPruning = false, isSaving = false
    var isStarted = false, isClosed = false
    var pass: PassPhase?
    var wakeAt: Duration?
    var wanted: BeaconID??
    var heard: [BeaconID] = []
    /// What was looked at or synced since the list changed last.
    var seen: Set<ContentScope> = []
    /// What could not be synced last, and is left alone for a while.
    var failed: Set<ContentScope> = []
    var present: Set<AssetHash> = []
    var published: Set<ContentScope> = []

    /// Wants that have no event yet, and failures that were reported and last.
    var open: Set<BeaconID?> = []
    var reported: [BeaconID?: ContentError.Code] = [:]
    /// Those of them that say that nobody gets anything.
    var outages: Set<BeaconID?> = []
    /// Jobs that the server has answered.
    var reached: Set<JobKey> = []
    var ends: [BeaconID?: Int] = [:]
    /// Before this move, the server was known to be out of reach.
    var wasOut = false
    var violations: [String] = []
    var history: [Move] = []

    init(_ site: Site, adjust: (inout ContentSettings) -> Void = { _ in }) throws {
        self.site = site
        var settings = try ContentSettings(baseURL: "https://example.org", directory: "/nowhere")
        settings.parallelTransfers = 2
        settings.parallelManifests = 2
        settings.revalidationInterval = nil
        adjust(&settings)
        self.settings = settings
        scheduler = SyncScheduler(settings, random: { 0.5 })
        scopes = site.assets.keys.sorted()
        keys = [.beacon(nil)] + (scopes.compactMap(\.beacon) + [Self.stranger]).map { .beacon($0) }
            + scopes.map { .scope($0) }
        var hashes: [AssetHash] = []
        for scope in scopes {
            for asset in site.assets[scope] ?? [] where !hashes.contains(asset.sha256) { hashes.append(asset.sha256) }
        }
        self.hashes = hashes
    }

    // MARK: - Moves

    /// What is under way can end.
    func ends(_ results: [Result]) -> [Move] {
        var moves: [Move] = []
        for key in keys where jobs[key].map({ $0 != .asking && $0 != .fetching }) == true { moves.append(.job(key)) }
        if isListing { moves += results.map { .list($0) } }
        if isReading { moves.append(.stored) }
        if isMeasuring { moves.append(.space) }
        if isPruning { moves.append(.pruned) }
        if pass != nil, pass != .asking, pass != .running { moves.append(.passStep) }
        for scope in scopes where looks.contains(scope) { moves.append(.look(scope)) }
        for hash in hashes where downloads.contains(hash) {
            moves += results.map { .download(hash, $0) }
            if !flushing.contains(hash) { moves.append(.leaveNetwork(hash)) }
        }
        return moves
    }

    mutating func make(_ move: Move) {
        history.append(move)
        now += .milliseconds(1)
        ends = [:]
        wasOut = scheduler.isInOutage
        switch move {
        case .want(let beacon):
            wanted = .some(beacon)
            take(scheduler.want(beacon, date: 1e9, at: now))
        case .inRange(let beacons):
            heard = beacons
            take(scheduler.inRange(beacons, at: now))
        case .start:
            isStarted = true
            take(scheduler.start(at: now))
        case .retryNow: take(scheduler.retryNow(at: now))
        case .damage:
            present = []
            seen = looks.union(jobs.keys.compactMap { scope(of: $0) }).union(failed)
            take(scheduler.damaged(at: now))
        case .close:
            isClosed = true
            take(scheduler.close(at: now))
        case .pass:
            pass = .asking
            take(scheduler.beginPass(accepting: [], at: now))
            take(scheduler.askForList(.pass, at: now))
        case .wake:
            guard let at = wakeAt else { return violate("woken for nothing") }
            now = max(now, at)
            wakeAt = nil
            take(scheduler.wake(at: now))
        case .list(let result):
            isListing = false
            let found: StoredSite = site.list.map { .list($0, Self.hash(of: "list")) } ?? .none
            take(scheduler.listEnded(
                result.error.map { .failure($0) } ?? .success(found), space: space, at: now))
        case .passStep: stepPass()
        case .room(let isThere): isFull = !isThere
        case .saved:
            isSaving = false
            _ = scheduler.takeLearned()
            take(scheduler.saved(at: now))
        case .stored:
            isReading = false
            take(scheduler.stored(Learned(), revision: nil, at: now))
        case .space:
            isMeasuring = false
            take(scheduler.measured(space, isAsked: true, at: now))
        case .pruned:
            isPruning = false
            take(scheduler.pruned(at: now))
        case .look(let scope):
            looks.remove(scope)
            take(scheduler.looked(scope, isComplete: isComplete(scope), at: now))
        case .job(let key): advance(key)
        case .leaveNetwork(let hash):
            flushing.insert(hash)
            take(scheduler.leftNetwork(hash, at: now))
        case .download(let hash, let result):
            downloads.remove(hash)
            flushing.remove(hash)
            if result == .success { present.insert(hash) }
            for key in needs.keys { needs[key]?.remove(hash) }
            take(scheduler.transferEnded(hash, result.error, at: now))
        }
        check()
    }

    private func isComplete(_ scope: ContentScope) -> Bool {
        published.contains(scope) && (site.assets[scope] ?? []).allSatisfy { present.contains($0.sha256) }
    }

    private var space: DiskSpace { DiskSpace(free: isFull ? 0 : 1 << 40, reserve: 1 << 20) }

    func scope(of key: JobKey) -> ContentScope? {
        switch key {
        case .scope(let scope): scope
        case .beacon(let beacon): ContentScope.candidates(for: beacon).first { site.assets[$0] != nil }
        }
    }

    private mutating func advance(_ key: JobKey) {
        switch jobs[key] {
        case .begun:
            if scheduler.isFull { take(scheduler.measured(space, isAsked: false, at: now)) }
            if let refusal = scheduler.refusal(at: now) { return end(key, .failure(refusal)) }
            if case .scope = key { return read(key) }
            jobs[key] = .asking
            take(scheduler.askForList(.job(key), at: now))
        case .answered(let error):
            if let error { return end(key, .failure(error)) }
            read(key)
        case .fetched(let error):
            if let error { return end(key, .failure(error)) }
            read(key)
        case .asking, .fetching, nil: violate("a job that waits takes a step: \(key)")
        }
    }

    /// The manifest was read: what is missing is asked for, or the job is done.
    private mutating func read(_ key: JobKey) {
        guard let scope = scope(of: key), let assets = site.assets[scope] else { return end(key, .success(.nothing)) }
        scheduler.holds(key, Set(assets.map(\.sha256)))
        let missing = assets.filter { !present.contains($0.sha256) }
        if missing.isEmpty {
            let isNew = published.insert(scope).inserted
            return end(
                key,
                .success(.ready(
                    ContentSummary(
                        scope: scope, fetchedAssets: 0, fetchedBytes: 0, assets: assets.count, bytes: 0,
                        unchanged: !isNew), isNew: isNew)))
        }
        jobs[key] = .fetching
        needs[key] = Set(missing.map(\.sha256))
        take(scheduler.needs(key, missing, at: now))
    }

    private mutating func end(_ key: JobKey, _ result: Swift.Result<SyncOutcome, ContentError>) {
        jobs[key] = nil
        needs[key] = nil
        if let scope = scope(of: key) {
            if case .failure = result { failed.insert(scope) } else { failed.remove(scope) }
        }
        let isWaited = if case .beacon(let beacon) = key { open.contains(beacon) } else { false }
        take(scheduler.ended(key, result, space: space, at: now))
        guard case .beacon(let beacon) = key, isWaited, !isClosed, jobs[key] == nil else { return }
        // A want without an event is one whose failure was reported before.
        if ends[beacon] == nil, reported[beacon] == nil { violate("\(name(beacon)) was wanted, and nothing came") }
        open.remove(beacon)
    }

    func name(_ beacon: BeaconID?) -> String { beacon.map { "\($0.minor)" } ?? "nothing" }

    mutating func violate(_ what: String) {
        violations.append("\(what), after \(history.suffix(12))")
    }
}

// MARK: - Actions, and what must hold

extension SchedulerWorld {
    private mutating func take(_ actions: [SyncScheduler.Action]) {
        for action in actions { take(action) }
    }

    private mutating func once(_ flag: WritableKeyPath<Self, Bool>, _ what: String) {
        if self[keyPath: flag] { violate("\(what) is asked for twice") }
        if isClosed { violate("\(what) is asked for after the end") }
        self[keyPath: flag] = true
    }

    private mutating func take(_ action: SyncScheduler.Action) {
        switch action {
        case .sync(let key):
            reached.remove(key)
            if jobs.updateValue(.begun, forKey: key) != nil { violate("\(key) is synced twice") }
            if let scope = scope(of: key) { seen.insert(scope) }
            if isClosed { violate("\(key) is synced after the end") }
        case .look(let scope, _):
            checkOrder(scope)
            if !looks.insert(scope).inserted || jobs[.scope(scope)] != nil { violate("\(scope) is looked at twice") }
            seen.insert(scope)
            let inAdvance = looks.count + jobs.keys.count { if case .scope = $0 { true } else { false } }
            let limit = wanted.map { jobs[.beacon($0)] != nil } == true ? 1 : settings.parallelManifests
            if inAdvance > limit { violate("\(inAdvance) manifests in advance") }
            if pass != nil { violate("\(scope) is fetched in advance beside a pass") }
        case .download(let asset): begin(asset.sha256)
        case .finishAssets(let key, let failure):
            if jobs[key] != .fetching { violate("\(key) goes on twice") }
            if failure == nil, needs[key]?.isEmpty != true { violate("\(key) goes on without its assets") }
            jobs[key] = .fetched(failure)
        case .fetchList: once(\.isListing, "the list")
        case .readStored: once(\.isReading, "the store")
        case .measureSpace: once(\.isMeasuring, "the space")
        case .prune, .removeUnneededPartials: once(\.isPruning, "a clean-up")
        case .saveLearned: once(\.isSaving, "saving")
        case .answerList(.job(let key), let result):
            if jobs[key] != .asking { violate("\(key) is answered, but does not ask") }
            switch result {
            case .failure(let error): jobs[key] = .answered(error)
            case .success:
                jobs[key] = .answered(nil)
                reached.insert(key)
            }
        case .answerList(.pass, let result):
            if pass != .asking { violate("a pass is answered, but does not ask") }
            if case .failure(let error) = result { pass = .answered(error) } else { pass = .answered(nil) }
        case .passEnded:
            if pass != .running { violate("a pass ends that does not run") }
            pass = .ended
        case .event(let event): note(event)
        case .wake(let at):
            // Unless it is late already.
            if let at, at < now, wakeAt.map({ $0 > now }) ?? true { violate("a wake-up in the past") }
            wakeAt = at
        default: break
        }
    }

    private mutating func stepPass() {
        switch pass {
        case .answered(let error?):
            pass = nil
            scheduler.noteFailure(error, at: now)
            take(scheduler.endPass(.failure(error), at: now))
        case .answered(nil):
            pass = .running
            var work = SitePass()
            work.waiting = (site.list.map { _ in scopes } ?? published.sorted()).filter { !isComplete($0) }[...]
            take(scheduler.run(work, at: now))
        case .ended:
            let summary = scheduler.summaryOfPass
            pass = nil
            take(scheduler.endPass(.success(summary ?? SyncSummary()), at: now))
        case .asking, .running, nil: violate("a pass that waits takes a step")
        }
    }

    /// Those in range are taken in their order.
    private mutating func checkOrder(_ scope: ContentScope) {
        guard let list = site.list else { return }
        let scopes = heard.compactMap { list.entry(for: $0)?.scope }
        let nearer = scopes.firstIndex(of: scope).map { scopes[..<$0] } ?? scopes[...]
        let isWanted = wanted.flatMap { list.entry(for: $0)?.scope }
        for other in nearer where other != isWanted && !seen.contains(other) {
            violate("\(scope) goes before \(other), which is nearer")
        }
    }

    /// The wanted beacon's content may be on its way in advance as well.
    private var neededByWanted: Set<AssetHash> {
        guard let wanted else { return [] }
        let inAdvance = scope(of: .beacon(wanted)).flatMap { needs[.scope($0)] } ?? []
        return inAdvance.union(needs[.beacon(wanted)] ?? [])
    }

    private mutating func begin(_ hash: AssetHash) {
        if !downloads.insert(hash).inserted { violate("\(hash) is fetched twice") }
        if isClosed { violate("\(hash) is fetched after the end") }
        if present.contains(hash) { violate("\(hash) is fetched, though it is there") }
        let ofWanted = neededByWanted.filter { !scheduler.holders(of: $0).isEmpty }
        let running = downloads.subtracting(flushing)
        let urgent = running.intersection(ofWanted).count
        if ofWanted.contains(hash) {
            if urgent > settings.parallelTransfers { violate("\(urgent) transfers for what is wanted") }
        } else {
            let limit = ofWanted.subtracting(flushing).isEmpty ? settings.parallelTransfers : 1
            if running.count - urgent > limit { violate("\(running.count - urgent) transfers for what is not wanted") }
            if !ofWanted.subtracting(downloads).isEmpty, urgent < settings.parallelTransfers {
                violate("\(hash) goes before what is wanted")
            }
        }
    }

    private mutating func note(_ event: ContentEvent) {
        let beacon = event.beacon
        switch event {
        case .started:
            if !open.insert(beacon).inserted { violate("\(name(beacon)) is started twice") }
        case .progress: break
        case .recovered:
            reported[beacon] = nil
            // An outage has ended for all.
            if wasOut { for other in outages { reported[other] = nil } }
            if wasOut { outages = [] }
            outages.remove(beacon)
        case .ready, .nothing: finish(beacon)
        case .failed(_, let error, _):
            if reported.updateValue(error.code, forKey: beacon) == error.code {
                violate("\(name(beacon)) has failed twice")
            }
            let isOutage = error.isTransient && !reached.contains(.beacon(beacon))
                || error.code == .diskFull && scheduler.isFull
            if isOutage { outages.insert(beacon) } else { outages.remove(beacon) }
            finish(beacon)
        case .waiting:
            reported[beacon] = ContentError.Code(rawValue: "outage")
            outages.insert(beacon)
            if !wasOut { violate("\(name(beacon)) waits for the end of nothing") }
            finish(beacon)
        }
    }

    private mutating func finish(_ beacon: BeaconID?) {
        ends[beacon, default: 0] += 1
        if ends[beacon] != 1 { violate("\(name(beacon)) ends twice") }
    }

    var isBusy: Bool {
        !jobs.isEmpty || !looks.isEmpty || !downloads.isEmpty || isListing || isReading || isMeasuring || isPruning
            || pass != nil
    }

    private mutating func check() {
        if isClosed {
            if wakeAt != nil { violate("a wake-up after the end") }
        } else if isStarted || wanted.map({ reported[$0] != nil }) == true {
            if !isBusy, wakeAt == nil { violate("nothing goes on") }
        }
        // Whoever waits does so for something that is under way.
        if jobs.values.contains(.asking), !isListing { violate("a job waits for a list that nobody fetches") }
        let fetching = jobs.filter { $0.value == .fetching }.keys
        if !fetching.isEmpty, downloads.isEmpty { violate("\(fetching) wait for assets that nobody fetches") }
    }

    /// From now on everything succeeds: lets it go on until nothing is left to do.
    ///
    /// - Returns: how many wake-ups there were in the last simulated hour.
    mutating func settle() -> Int {
        isFull = false
        var steps = 0
        func tooMany() -> Bool { steps > 5000 }
        let limit = now + .seconds(7200)
        var wakeUps = 0
        while violations.isEmpty, !tooMany() {
            steps += 1
            if let move = ends([.success]).first(where: { if case .leaveNetwork = $0 { false } else { true } }) {
                make(move)
            } else if let at = wakeAt, at < limit {
                if at > limit - .seconds(3600) { wakeUps += 1 }
                make(.wake)
            } else {
                break
            }
        }
        if tooMany() { violate("it does not come to rest") }
        return wakeUps
    }

    static func hash(of text: String) -> AssetHash { AssetHash(of: Array(text.utf8)) }
}
