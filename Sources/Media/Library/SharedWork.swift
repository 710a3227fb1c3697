import Synchronization

/// Work that several callers want at the same time, and that is done once for all of them. It is cancelled when no
/// caller waits for it any more.
final class SharedWork<Key: Hashable & Sendable>: Sendable {
    private struct Work {
        let number: Int
        let task: Task<Result<Void, MediaError>, Never>
        /// The number of callers that wait for it.
        var waiting = 1
    }

    private struct State {
        var running: [Key: Work] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    func run(_ key: Key, _ body: @escaping @Sendable () async throws(MediaError) -> Void) async throws(MediaError) {
        let (number, task) = state.withLock { state -> (Int, Task<Result<Void, MediaError>, Never>) in
            if let work = state.running[key] {
                state.running[key]?.waiting += 1
                return (work.number, work.task)
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task {
                let result: Result<Void, MediaError>
                do throws(MediaError) { result = .success(try await body()) } catch { result = .failure(error) }
                self.end(key, number)
                return result
            }
            state.running[key] = Work(number: number, task: task)
            return (number, task)
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            leave(key, number)
        }
        try result.get()
    }

    private func end(_ key: Key, _ number: Int) {
        state.withLock { state in
            if state.running[key]?.number == number { state.running[key] = nil }
        }
    }

    /// One caller has stopped waiting. A caller that comes after the last one has left starts new work.
    private func leave(_ key: Key, _ number: Int) {
        let task = state.withLock { state -> Task<Result<Void, MediaError>, Never>? in
            guard state.running[key]?.number == number else { return nil }
            state.running[key]?.waiting -= 1
            guard state.running[key]?.waiting == 0 else { return nil }
            return state.running.removeValue(forKey: key)?.task
        }
        task?.cancel()
    }
}
