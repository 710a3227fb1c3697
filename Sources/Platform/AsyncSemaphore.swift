import Synchronization

/// A counting semaphore for tasks: `value` tasks may pass at the same time; the others wait in a queue and pass in the
/// order of their arrival.
package final class AsyncSemaphore: Sendable {
    private struct Waiter {
        let number: Int
        /// Whether it may pass.
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var value: Int
        var waiting: [Waiter] = []
        var lastNumber = 0
    }

    private let state: Mutex<State>

    /// - Parameter value: how many tasks may pass at the same time.
    package init(value: Int) {
        state = Mutex(State(value: value))
    }

    /// How many tasks are waiting.
    package var waiters: Int { state.withLock { $0.waiting.count } }

    /// Waits until the task may pass. `signal` lets the next one pass.
    package func wait() async {
        _ = await wait(as: nextNumber(), evenIfCancelled: true)
    }

    /// The same, unless the task is cancelled.
    ///
    /// - Returns: false if the task was cancelled before it could pass. The caller then does not call `signal`.
    package func waitUnlessCancelled() async -> Bool {
        let number = nextNumber()
        return await withTaskCancellationHandler {
            await wait(as: number, evenIfCancelled: false)
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    package func signal() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.value += 1
            return nil
        }
        next?.continuation.resume(returning: true)
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func wait(as number: Int, evenIfCancelled: Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let mayPass = state.withLock { state -> Bool? in
                // A cancellation after this point finds this waiter.
                if !evenIfCancelled, Task.isCancelled { return false }
                if state.value > 0 {
                    state.value -= 1
                    return true
                }
                state.waiting.append(Waiter(number: number, continuation: continuation))
                return nil
            }
            if let mayPass { continuation.resume(returning: mayPass) }
        }
    }
}
