import Synchronization

/// A counting semaphore for tasks: `value` tasks may pass at the same time; the others wait in a queue and pass in the
/// order of their arrival.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var value: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
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
        await withCheckedContinuation { continuation in
            let mayPass = state.withLock { state in
                if state.value > 0 {
                    state.value -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayPass { continuation.resume() }
        }
    }

    package func signal() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.value += 1
            return nil
        }
        next?.resume()
    }
}
