import Synchronization

/// Work that several want at the same time, and that is done once for all of them.
final class SharedWork<Key: Hashable & Sendable>: Sendable {
    private let running = Mutex<[Key: Task<Result<Void, MediaError>, Never>]>([:])

    func run(_ key: Key, _ body: @escaping @Sendable () async throws(MediaError) -> Void) async throws(MediaError) {
        let task = running.withLock { running in
            if let task = running[key] { return task }
            let task = Task {
                let result: Result<Void, MediaError>
                do throws(MediaError) { result = .success(try await body()) } catch { result = .failure(error) }
                self.running.withLock { $0[key] = nil }
                return result
            }
            running[key] = task
            return task
        }
        try await task.value.get()
    }
}
