import Beacon
import Console
import Content
import Events
import Logging
import Platform
import Radio
import ServiceLifecycle
import SiteFormat
import Synchronization

/// Runs the sync client and publishes its events.
final class ContentService: Service {
    private let sync: ContentSync
    let store: ContentStore
    let site: String
    private let names: Names
    private let hub: EventHub
    private let currentContent: CurrentContentService
    /// The beacon whose content is wanted now, until its content is complete, absent or failed.
    private let unsettled = Mutex<BeaconID??>(nil)

    init(settings: ContentSettings, hub: EventHub, currentContent: CurrentContentService, logger: Logger) throws {
        store = try ContentStore(directory: settings.directory)
        sync = try ContentSync(settings: settings, store: store, logger: logger)
        site = settings.baseURL
        names = hub.names
        self.hub = hub
        self.currentContent = currentContent
    }

    func want(_ beacon: BeaconID?) async {
        unsettled.withLock { $0 = .some(beacon) }
        await sync.want(beacon)
    }

    /// Passes on the beacons in range, the nearest first.
    func inRange(_ beacons: [BeaconID]) async {
        await sync.inRange(beacons)
    }

    /// Syncs the whole site, and publishes the result.
    @discardableResult
    func syncAll(
        accepting: SiteAcceptance = [], progress: (@Sendable (SiteProgress) -> Void)? = nil
    ) async throws(ContentError) -> SyncSummary {
        do throws(ContentError) {
            let summary = try await sync.syncAll(accepting: accepting, progress: progress)
            hub.publish(.synced(summary))
            return summary
        } catch {
            if error.code != .cancelled { hub.publish(.site(.refused(error))) }
            throw error
        }
    }

    /// Reads every stored file again. Damaged files are removed and fetched again.
    func verify() async throws(ContentError) -> VerifyReport {
        try await sync.verify()
    }

    /// Removes files that no manifest needs.
    func prune() async throws(ContentError) -> PruneReport {
        try await sync.prune()
    }

    func run() async throws {
        let sync = sync
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                group.addTask { await self.tellSite() }
                group.addTask { await self.tellStatus() }
                group.addTask { [names] in await sync.storedNames { names.add($0) } }
                group.addTask { await self.watchNetwork() }
                await sync.start()
                await currentContent.begin(self)
                for await event in sync.events {
                    note(event)
                    hub.publish(.content(event))
                }
                group.cancelAll()
            }
        } onGracefulShutdown: {
            Task { await sync.shutdown() }
        }
        currentContent.end(self)
        hub.publish(SiteStatus())
    }

    private func tellSite() async {
        for await event in sync.siteEvents { hub.publish(.site(event)) }
    }

    private func tellStatus() async {
        await learnNames()
        var revision: Int64?
        for await status in sync.statuses {
            if status.revision != revision { await learnNames() }
            revision = status.revision
            hub.publish(status)
        }
    }

    /// Retries as soon as the network returns. Without this, a failed request would be retried within seconds anyway.
    private func watchNetwork() async {
        let watch = NetworkWatch.begin()
        for await _ in watch.changes {
            // A new address is followed by routes and a resolver, one after another.
            guard (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
            await sync.retryNow()
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
        }
        withExtendedLifetime(watch) {}
    }

    /// Suspends until the content that is wanted now is complete, absent or failed. Returns earlier after `limit`, or
    /// if the task is cancelled.
    func settle(within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        while unsettled.withLock({ $0 != nil }), ContinuousClock.now < deadline {
            guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
        }
    }

    private func note(_ event: ContentEvent) {
        switch event {
        case .ready(let beacon, let summary):
            if let beacon, let name = summary.name { names.add([beacon: name]) }
            settled(beacon)
        case .nothing(let beacon), .failed(let beacon, _, _), .waiting(let beacon, _):
            settled(beacon)
        case .started, .progress, .recovered:
            break
        }
    }

    private func settled(_ beacon: BeaconID?) {
        unsettled.withLock { if $0 == .some(beacon) { $0 = nil } }
    }

    /// Takes the names of all beacons from the site's list, including beacons that were never near. Reading a long
    /// list takes a while.
    private func learnNames() async {
        let known = try? await OwnThread.run { [store] in
            var known: [BeaconID: String] = [:]
            for (scope, entry) in store.siteList()?.entries ?? [:] {
                if let id = scope.beacon, let name = entry.name { known[id] = name }
            }
            return known
        }
        if let known { names.replaceListed(with: known) }
    }
}
