import CurationStore
import Synchronization

/// The last check of all drafts, for as long as nothing has changed: it looks at thousands of documents.
final class PublishChecks: Sendable {
    private let last = Mutex<(version: DataVersion, check: PublishCheck)?>(nil)

    func check(_ store: CurationStore) async throws -> PublishCheck {
        // First the version: what changes meanwhile makes the next check read everything again.
        let version = try await store.dataVersion()
        if let found = last.withLock({ $0?.version == version ? $0?.check : nil }) { return found }
        let check = try await PublishCheck(store)
        last.withLock { $0 = (version, check) }
        return check
    }
}
