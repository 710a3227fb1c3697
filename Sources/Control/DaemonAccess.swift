package import Beacon
package import Console
package import Content
package import Events
package import Ranging

/// What the routes need of the daemon.
package protocol DaemonAccess: Sendable {
    var hub: EventHub { get }
    /// The program's version, and when it was started.
    var version: String { get }
    var startedAt: Timestamp { get }
    /// The receivers, sources as they are written, by the index that sightings carry.
    var sources: [String] { get }
    /// The same where several hear, else nil.
    var receivers: [String]? { get }
    /// Who is in which region, in the settings' order.
    func regions() -> [RegionState]
    /// The beacons that are tracked.
    func tracked() -> [BeaconID]
    /// Why a beacon is seen as it is; nil where it is not tracked.
    func explanation(of beacon: BeaconID) -> BeaconExplanation?
    /// Nil where no site is configured and nothing is stored.
    var content: (any ContentControl)? { get }
}

/// Content as far as it can be asked for, and told to change.
package protocol ContentControl: Sendable {
    var store: ContentStore { get }
    /// The content site; nil where none is configured, so that nothing can be synced.
    var site: String? { get }
    /// - Parameter accepting: what is meant, though it looks like a mistake.
    /// - Throws: `ContentError`.
    func syncAll(
        accepting: SiteAcceptance, progress: @escaping @Sendable (SiteProgress) -> Void
    ) async throws -> SyncSummary
    /// Damaged files are removed and fetched again where `repair` is set.
    ///
    /// - Throws: `ContentError`.
    func verify(repair: Bool) async throws -> VerifyReport
    /// - Throws: `ContentError`.
    func prune() async throws -> PruneReport
    /// What being the nearest means for a beacon's content.
    func explanation(of beacon: BeaconID) -> ContentExplanation
}

extension DaemonAccess {
    package var receivers: [String]? { sources.count > 1 ? sources : nil }
}
