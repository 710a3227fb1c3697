import CurationStore
import Synchronization

/// A value that is made of the store, and made again only after something in the store has changed. Those who ask for
/// it while it is made wait for the same one.
final class KeptUntilChanged<Value: Sendable>: Sendable {
    private struct Making {
        let version: DataVersion
        let task: Task<Value, any Error>
    }

    private let last = Mutex<Making?>(nil)

    func value(of store: CurationStore, _ make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // First the version: what changes meanwhile makes the next call make the value again.
        let version = try await store.dataVersion()
        let task = last.withLock { last in
            if let last, last.version == version { return last.task }
            let task = Task { try await make() }
            last = Making(version: version, task: task)
            return task
        }
        do {
            return try await task.value
        } catch {
            last.withLock { if $0?.task == task { $0 = nil } }
            throw error
        }
    }
}
