import Dispatch
import Platform
import Synchronization

/// Whether any client still waits for a piece of work.
package final class WorkInterest: Sendable {
    private let isThere = Atomic(true)
    private let listener = Mutex<Listener?>(nil)

    /// A closure stored directly in a `Mutex` would be wrapped again by each access.
    private struct Listener: Sendable {
        let call: @Sendable () -> Void
    }

    /// Long work checks this regularly and stops when no client waits any more.
    package var isWanted: Bool { isThere.load(ordering: .sequentiallyConsistent) }

    /// - Throws: `CancellationError` if no client waits any more.
    package func check() throws {
        guard isWanted else { throw CancellationError() }
    }

    fileprivate func end() {
        isThere.store(false, ordering: .sequentiallyConsistent)
        listener.withLock { $0 }?.call()
    }

    /// Calls `listener` when no client waits any more, on any thread; at once if none does. Nil removes it.
    fileprivate func whenOver(_ listener: (@Sendable () -> Void)?) {
        self.listener.withLock { $0 = listener.map(Listener.init) }
        if !isWanted { listener?() }
    }
}

/// Work for clients that takes longer than a millisecond: one piece at a time, on a separate thread.
///
/// The queue is limited; further work is refused with 503 and Retry-After. If a client leaves, its waiting work is
/// dropped and its running work is asked to stop.
package final class WorkQueue: Sendable {
    private struct Job: Sendable {
        let interest: WorkInterest
        /// Does the work or, with an error, refuses it.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isWorking = false
    }

    private let name: String
    private let maximumWaiting: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: what clients ask for, for messages: "reports".
    ///   - maximumWaiting: how many pieces of work may wait, besides the running one.
    package init(_ name: String, maximumWaiting: Int = 32) {
        self.name = name
        self.maximumWaiting = maximumWaiting
    }

    /// Suspends until the work is done.
    ///
    /// - Throws: `Refusal` if too much work waits, and `CancellationError` if the task is cancelled before the work has
    ///   started.
    package func run<Value: Sendable>(_ work: @escaping @Sendable (WorkInterest) throws -> Value) async throws -> Value
    {
        let interest = WorkInterest()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                add(
                    Job(interest: interest) { refusal in
                        let result = Result<Value, any Error> {
                            if let refusal { throw refusal }
                            try interest.check()
                            return try work(interest)
                        }
                        continuation.resume(with: result)
                    })
            }
        } onCancel: {
            interest.end()
            let job = state.withLock { state in
                state.waiting.firstIndex { $0.interest === interest }.map { state.waiting.remove(at: $0) }
            }
            job?.finish(CancellationError())
        }
    }

    /// Blocks the thread of a queue until asynchronous work is done. The work is cancelled when no client waits any
    /// more.
    package static func wait<Value: Sendable>(
        _ interest: WorkInterest, for work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let outcome = Outcome<Value>()
        let task = Task {
            do {
                outcome.note(.success(try await work()))
            } catch {
                outcome.note(.failure(error))
            }
        }
        interest.whenOver { task.cancel() }
        defer { interest.whenOver(nil) }
        return try outcome.wait().get()
    }

    private func add(_ job: Job) {
        let (isTaken, starts) = state.withLock { state in
            // A client that left before this point could not yet find its job in the queue.
            guard job.interest.isWanted, state.waiting.count < maximumWaiting else { return (false, false) }
            state.waiting.append(job)
            defer { state.isWorking = true }
            return (true, !state.isWorking)
        }
        guard isTaken else {
            // A job that is no longer wanted throws `CancellationError` itself.
            job.finish(
                !job.interest.isWanted
                    ? nil
                    : Refusal(
                        503, "too many clients ask for \(name)", whatToDo: "ask again in a second", retryAfter: 1))
            return
        }
        guard starts else { return }
        do {
            try OwnThread.start { self.work() }
        } catch {
            let jobs = state.withLock { state in
                defer { state = State() }
                return state.waiting
            }
            let failure = Refusal(503, "\(error)", whatToDo: "ask again in a second", retryAfter: 1)
            for job in jobs { job.finish(failure) }
        }
    }

    /// The thread runs while there is work.
    private func work() {
        while let job = next() { job.finish(nil) }
    }

    private func next() -> Job? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWorking = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}

/// The result of a task, for a thread to wait for.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
    private let isThere = DispatchSemaphore(value: 0)

    func note(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
        isThere.signal()
    }

    func wait() -> Result<Value, any Error> {
        isThere.wait()
        return result.withLock { $0 }
    }
}
