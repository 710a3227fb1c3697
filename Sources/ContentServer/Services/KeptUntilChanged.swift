import CurationStore
import Synchronization

/// A value that is made of the store, and made again only after something in the store has changed.
final class KeptUntilChanged<Value: Sendable>: Sendable {
    private let last = Mutex<(version: DataVersion, value: Value)?>(nil)

    func value(of store: CurationStore, _ make: () async throws -> Value) async throws -> Value {
        // First the version: what changes meanwhile makes the next call make the value again.
        let version = try await store.dataVersion()
        if let found = last.withLock({ $0?.version == version ? $0?.value : nil }) { return found }
        let value = try await make()
        last.withLock { $0 = (version, value) }
        return value
    }
}
