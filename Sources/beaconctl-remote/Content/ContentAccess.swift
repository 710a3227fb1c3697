import Beacon
import Console
import Content
import Platform
import Radio
import SiteFormat

/// The operations that the commands need, on a store or through the daemon.
protocol ContentAccess: Sendable {
    var place: String { get }

    /// The state of everything that the site lists or that is stored.
    func states() async throws -> [ContentState]
    func content(for beacon: BeaconID?) async throws -> StoredContent?
    /// The file of an asset; nil where it is not stored.
    func assetPath(_ sha256: String) -> String?
    func verify(repair: Bool, progress: @escaping @Sendable (Int64) -> Void) async throws -> VerifyReport
    func prune() async throws -> PruneReport
}

/// The store's folder itself.
struct StoreAccess: ContentAccess {
    private let store: ContentStore
    private let names: KnownBeacons

    var place: String { store.directory }

    /// - Parameter names: the configuration's, which take precedence over the site's.
    init(directory: String, names: KnownBeacons = KnownBeacons()) throws {
        store = try ContentStore(reading: directory)
        self.names = names
    }

    func states() -> [ContentState] {
        store.states(now: WallClock.now).map { $0.named(by: names) }
    }

    func content(for beacon: BeaconID?) -> StoredContent? {
        store.content(for: beacon)?.named(by: names)
    }

    func assetPath(_ sha256: String) -> String? {
        store.assetPath(sha256)
    }

    func verify(repair: Bool, progress: @escaping @Sendable (Int64) -> Void) async throws -> VerifyReport {
        try await Interruption().runOnOwnThread { [store] _ in
            try Self.sayingWhoSyncs { () throws(ContentError) in
                try store.verify(repair: repair, progress: progress)
            }
        }
    }

    func prune() throws -> PruneReport {
        try Self.sayingWhoSyncs { () throws(ContentError) in try store.prune() }
    }

    /// Adds to an error about the lock that the daemon is probably the one that holds it.
    static func sayingWhoSyncs<Result>(_ work: () throws(ContentError) -> Result) throws(ContentError) -> Result {
        do {
            return try work()
        } catch {
            guard error.code == .locked else { throw error }
            throw ContentError(
                code: .locked, place: error.place, cause: error.cause,
                remedy: "if it is the daemon, sudo systemctl kill --signal=USR1 beacond lets it sync now, and sudo "
                    + "systemctl stop beacond ends it")
        }
    }
}
