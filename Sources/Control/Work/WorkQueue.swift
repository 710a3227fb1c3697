import Dispatch
import Platform
import Synchronization

/// Whether anybody still waits for a piece of work.
package final class WorkInterest: Sendable {
    private let isThere = Atomic(true)
    private let listener = Mutex<(@Sendable () -> Void)?>(nil)

    /// Work that takes long asks this now and then, and stops where nobody waits any more.
    package var isWanted: Bool { isThere.load(ordering: .sequentiallyConsistent) }

    /// Throws `CancellationError` where nobody waits any more.
    package func check() throws {
        guard isWanted else { throw CancellationError() }
    }

    fileprivate func end() {
        isThere.store(false, ordering: .sequentiallyConsistent)
        listener.withLock { $0 }?()
    }

    /// Calls this once nobody waits any more, on any thread, or now where that is so already. Nil for no more.
    fileprivate func whenOver(_ listener: (@Sendable () -> Void)?) {
        self.listener.withLock { $0 = listener }
        if !isWanted { listener?() }
    }
}

/// Work for clients that takes longer than a millisecond: one piece at a time, on a thread of its own.
///
/// Only so many pieces wait; more are refused with 503 and Retry-After. A piece whose client has left is not begun, and
/// is told to stop where it was.
package final class WorkQueue: Sendable {
    private struct Job: Sendable {
        let interest: WorkInterest
        /// Does it, or says why not.
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
    ///   - name: what is asked for, for messages: "reports".
    ///   - maximumWaiting: pieces that wait at most, besides the one that is worked on.
    package init(_ name: String, maximumWaiting: Int = 32) {
        self.name = name
        self.maximumWaiting = maximumWaiting
    }

    /// Suspends until it is done. Throws `ControlFailure` where too many wait, and `CancellationError` where the task
    /// is cancelled before it has begun.
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

    /// Waits, on such a thread, for what another does in its own time. It is cancelled where nobody waits any more.
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
            // Whoever has left before this cannot find it in the line any more.
            guard job.interest.isWanted, state.waiting.count < maximumWaiting else { return (false, false) }
            state.waiting.append(job)
            defer { state.isWorking = true }
            return (true, !state.isWorking)
        }
        guard isTaken else {
            // One that nobody wants says so itself.
            job.finish(
                !job.interest.isWanted
                    ? nil
                    : ControlFailure(
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
            let failure = ControlFailure(503, "\(error)", whatToDo: "ask again in a second", retryAfter: 1)
            for job in jobs { job.finish(failure) }
        }
    }

    /// The thread is there for as long as there is work.
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

/// What comes of a task, for a thread to wait for.
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
