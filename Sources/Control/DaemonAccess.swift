package import Beacon
package import Console
package import Content
package import Events
package import Ranging

/// What the routes need from the daemon.
package protocol DaemonAccess: Sendable {
    var hub: EventHub { get }
    /// The program's version and start time.
    var version: String { get }
    var startedAt: Timestamp { get }
    /// The receivers, as their sources are written in the settings, indexed by the number in a sighting.
    var sources: [String] { get }
    /// The same if there are several receivers, otherwise nil.
    var receivers: [String]? { get }
    /// The state of each region, in the order of the settings.
    func regions() -> [RegionState]
    func tracked() -> [BeaconID]
    /// Why a beacon has its distance and rank; nil if it is not tracked.
    func explanation(of beacon: BeaconID) -> BeaconExplanation?
    /// Nil if no site is configured and nothing is stored.
    var content: (any ContentControl)? { get }
}

/// What the API can read and change about content.
package protocol ContentControl: Sendable {
    var store: ContentStore { get }
    /// The content site; nil if none is configured, so that nothing can be synced.
    var site: String? { get }
    /// - Parameter accepting: changes that look like a mistake but are intended.
    /// - Throws: `ContentError`.
    func syncAll(
        accepting: SiteAcceptance, progress: @escaping @Sendable (SiteProgress) -> Void
    ) async throws -> SyncSummary
    /// Removes damaged files and fetches them again if `repair` is set.
    ///
    /// - Throws: `ContentError`.
    func verify(repair: Bool) async throws -> VerifyReport
    /// - Throws: `ContentError`.
    func prune() async throws -> PruneReport
    /// Which content a beacon has when it is the nearest, and why.
    func explanation(of beacon: BeaconID) -> ContentExplanation
}

extension DaemonAccess {
    package var receivers: [String]? { sources.count > 1 ? sources : nil }
}
