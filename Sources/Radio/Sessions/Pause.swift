import Synchronization

/// A pause that can be ended early. One task waits; any thread may end the pause.
final class Pause: Sendable {
    fileprivate struct State {
        /// It was ended before it began.
        var isEnded = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Suspends for the duration, until `end` is called, or until the task is cancelled.
    func wait(for duration: Duration, by clock: any Clock<Duration>) async {
        await withTaskGroup { group in
            group.addTask { try? await clock.sleep(for: duration) }
            group.addTask { await self.ended() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Ends the pause, or the next one if there is none now.
    func end() {
        let waiting = state.withLock { state in
            state.isEnded = state.waiting == nil
            return state.takeWaiting()
        }
        waiting?.resume()
    }

    private func ended() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = state.isEnded || Task.isCancelled
                    if !isOver { state.waiting = continuation }
                    state.isEnded = false
                    return isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeWaiting() }?.resume()
        }
    }
}

extension Pause.State {
    fileprivate mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
        defer { waiting = nil }
        return waiting
    }
}
