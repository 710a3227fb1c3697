import Beacon
import Console
import Content
import ControlClient
import Synchronization

/// The daemon's store, read through the daemon, because this user may not be allowed to read its files.
final class DaemonContentAccess: ContentAccess {
    let place: String
    private let client: ControlClient
    /// Files of the requested assets, by hash.
    private let paths = Mutex<[String: String]>([:])

    init(_ client: ControlClient) async throws {
        self.client = client
        let status: DaemonStatus = try await client.get("/v1/status")
        place = status.content?.directory ?? "the daemon's store"
    }

    func states() async throws -> [ContentState] {
        let list: StateList = try await client.get("/v1/content", within: ControlClient.workLimit)
        return list.content.compactMap(\.state)
    }

    func content(for beacon: BeaconID?) async throws -> StoredContent? {
        let path = "/v1/content/\(beacon?.description ?? "uncategorized")"
        let document = try await client.get(path, within: ControlClient.workLimit)
        return try paths.withLock { try StoredContent(document: document, of: path, paths: &$0) }
    }

    func assetPath(_ sha256: String) -> String? {
        paths.withLock { $0[sha256] }
    }

    func verify(repair: Bool, progress: @escaping @Sendable (Int64) -> Void) async throws -> VerifyReport {
        let path = "/v1/content/verify" + (repair ? "" : "?dry_run=1")
        let document: VerifyDocument = try ControlClient.decoded(try await client.post(path, within: nil), of: path)
        return document.report
    }

    func prune() async throws -> PruneReport {
        let path = "/v1/content/prune"
        let document: PruneDocument = try ControlClient.decoded(try await client.post(path, within: nil), of: path)
        return document.report
    }
}
