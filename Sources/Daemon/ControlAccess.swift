import Beacon
import Console
import Content
import Control
import DaemonSettings
import Events
import Listening
import Platform
import Radio
import Ranging
import SiteFormat

/// The daemon as the control API accesses it.
struct ControlAccess: DaemonAccess {
    let hub: EventHub
    let version = Program.version
    let startedAt: Timestamp
    private let core: DaemonCore
    private let ranging: RangingService
    private let currentContent: CurrentContentService

    init(core: DaemonCore, hub: EventHub, ranging: RangingService, currentContent: CurrentContentService) {
        self.core = core
        self.hub = hub
        self.ranging = ranging
        self.currentContent = currentContent
        startedAt = core.startedAt
    }

    var sources: [String] { core.receivers.names }

    var receivers: [String]? { core.receivers.severalNames }

    func regions() -> [RegionState] { ranging.regions }

    func tracked() -> [BeaconID] { ranging.tracked }

    func explanation(of beacon: BeaconID) -> BeaconExplanation? { ranging.explanation(of: beacon) }

    var content: (any ContentControl)? {
        if let service = currentContent.service { return ServedContent(service: service) }
        let store = try? ContentStore(reading: core.current.contentDirectory)
        return store.map { StoredOnly(store: $0) }
    }
}

/// Content that is synchronised with a site.
private struct ServedContent: ContentControl {
    let service: ContentService

    var store: ContentStore { service.store }

    var site: String? { service.site }

    func syncAll(
        accepting: SiteAcceptance, progress: @escaping @Sendable (SiteProgress) -> Void
    ) async throws -> SyncSummary {
        try await service.syncAll(accepting: accepting, progress: progress)
    }

    func verify(repair: Bool) async throws -> VerifyReport {
        if repair { return try await service.verify() }
        return try await StoredOnly(store: store).verify(repair: false)
    }

    func prune() async throws -> PruneReport {
        try await service.prune()
    }
}

/// Stored content after the site was removed from the configuration.
private struct StoredOnly: ContentControl {
    let store: ContentStore

    var site: String? { nil }

    func syncAll(
        accepting: SiteAcceptance, progress: @escaping @Sendable (SiteProgress) -> Void
    ) async throws -> SyncSummary {
        throw ContentError(
            code: .settings, place: "content.base_url", cause: "no content site is configured",
            remedy: "set it, and reload the configuration")
    }

    func verify(repair: Bool) async throws -> VerifyReport {
        try await OwnThread.run { [store] in try store.verify(repair: repair) }
    }

    func prune() async throws -> PruneReport {
        try await OwnThread.run { [store] in try store.prune() }
    }
}

extension ContentControl {
    func explanation(of beacon: BeaconID) -> ContentExplanation {
        let found = store.content(for: beacon)
        guard let found else {
            return ContentExplanation(manifest: nil, reason: "nothing is stored for it")
        }
        let file = "the manifest of \(found.scope)"
        let most = found.scope == ContentScope.candidates(for: beacon).first
        let reason = most ? "\(file) is its own" : "\(file) counts: there is none that is more exact"
        let state =
            found.missing == 0
            ? "all \(found.assets) files are there" : "\(found.missing) of \(found.assets) files are missing"
        return ContentExplanation(manifest: found.manifestPath, reason: "\(reason); \(state)")
    }
}
