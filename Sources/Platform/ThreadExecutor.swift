import Synchronization

/// Runs tasks on its own thread, so that a busy cooperative pool cannot delay them and they cannot keep the pool busy.
///
///     await withTaskExecutorPreference(executor) { … }
///
/// The thread lives as long as the process.
package final class ThreadExecutor: TaskExecutor {
    private struct State: ~Copyable {
        var jobs: [UnownedJob] = []
        var sleepers: [UInt64: (end: SuspendingClock.Instant, continuation: CheckedContinuation<Void, Never>)] = [:]
        var lastSleeper: UInt64 = 0
    }

    private let state = Mutex(State())
    /// Signalled when there is a new job or sleeper.
    private let news = SteadySemaphore()

    /// Starts the thread.
    package init() throws(OwnThread.Failure) {
        try OwnThread.start { self.work() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            return state.jobs.count == 1
        }
        if isFirst { news.signal() }
    }

    /// Suspends for this long or until the task is cancelled. The thread itself keeps the time, so that no other thread
    /// has to be free at the end.
    package func sleep(for duration: Duration) async {
        let end = SuspendingClock.now + duration
        let id = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A cancellation after this point finds this sleeper.
                    guard !Task.isCancelled else { return true }
                    state.sleepers[id] = (end, continuation)
                    return false
                }
                if isOver { continuation.resume() } else { news.signal() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    private func work() -> Never {
        while true {
            let now = SuspendingClock.now
            let (jobs, rested, next) = state.withLock { state in
                let rested = state.sleepers.filter { $0.value.end <= now }
                for id in rested.keys { state.sleepers[id] = nil }
                defer { state.jobs = [] }
                return (state.jobs, rested.map(\.value.continuation), state.sleepers.values.map(\.end).min())
            }
            for continuation in rested { continuation.resume() }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            guard jobs.isEmpty, rested.isEmpty else { continue }
            if let next {
                news.wait(for: next - now)
            } else {
                news.wait()
            }
        }
    }
}
