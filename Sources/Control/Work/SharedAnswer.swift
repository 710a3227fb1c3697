import NIOCore
import Synchronization

/// A text that many clients get, in memory once.
package struct SharedBody: Sendable {
    let buffer: ByteBuffer
    /// The same with what stands around it where it is a part of something.
    let framed: ByteBuffer
    /// An entity tag (RFC 9110, section 8.8.3). Good for as long as this process runs.
    let tag: String

    package init(_ text: String) {
        self.init(text, before: "", after: "")
    }

    init(_ text: String, before: String, after: String) {
        framed = ByteBuffer(string: before + text + after)
        buffer = framed.getSlice(at: before.utf8.count, length: text.utf8.count) ?? ByteBuffer()
        var hasher = Hasher()
        hasher.combine(text)
        tag = "\"\(String(UInt(bitPattern: hasher.finalize()), radix: 16))\""
    }
}

/// An answer that is made once for all who ask for the same, and kept while it is true.
package final class SharedAnswer<Key: Equatable & Sendable>: Sendable {
    private struct Made {
        var key: Key
        var body: SharedBody
        var begun: ContinuousClock.Instant
        var cost: Duration
    }

    /// One that is being made.
    private struct Making {
        var key: Key
        var number: UInt64
        var task: Task<SharedBody, any Error>
        var waiting = 1
    }

    private struct State {
        var made: Made?
        var making: Making?
        var lastNumber: UInt64 = 0
    }

    private let queue: WorkQueue
    private let mayAge: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - queue: where it is made.
    ///   - mayAge: it may become untrue though its key stays the same: it is then kept for a second, or ten times as
    ///     long as it took, and not longer than half a minute.
    package init(_ queue: WorkQueue, mayAge: Bool = false) {
        self.queue = queue
        self.mayAge = mayAge
    }

    /// Suspends until it is there. Throws what making it throws, and `ControlFailure` where too many wait for others.
    ///
    /// - Parameters:
    ///   - key: what it is true for.
    ///   - make: makes it, on a thread where it may take long.
    package func body(
        for key: Key, _ make: @escaping @Sendable (WorkInterest) throws -> SharedBody
    ) async throws -> SharedBody {
        let (kept, making) = state.withLock { state -> (SharedBody?, Making?) in
            if let made = state.made, made.key == key, isGood(made) { return (made.body, nil) }
            if state.making?.key == key {
                state.making?.waiting += 1
                return (nil, state.making)
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task(executorPreference: ControlThreads.requests) {
                try await self.make(key, number, make)
            }
            let making = Making(key: key, number: number, task: task)
            state.making = making
            return (nil, making)
        }
        if let kept { return kept }
        guard let making else { throw CancellationError() }
        return try await withTaskCancellationHandler {
            try await making.task.value
        } onCancel: {
            leave(making.number)
        }
    }

    /// It has become untrue.
    package func forget() {
        state.withLock { state in
            state.made = nil
            state.making = nil
        }
    }

    private func isGood(_ made: Made) -> Bool {
        !mayAge || ContinuousClock.now - made.begun < min(.seconds(30), max(.seconds(1), made.cost * 10))
    }

    private func make(
        _ key: Key, _ number: UInt64, _ make: @escaping @Sendable (WorkInterest) throws -> SharedBody
    ) async throws -> SharedBody {
        let begun = ContinuousClock.now
        let result: Result<SharedBody, any Error>
        do {
            result = .success(try await queue.run { interest in try make(interest) })
        } catch {
            result = .failure(error)
        }
        let cost = ContinuousClock.now - begun
        state.withLock { state in
            // Another has been asked for since, or what it was made of has changed.
            guard state.making?.number == number else { return }
            state.making = nil
            if case .success(let body) = result {
                state.made = Made(key: key, body: body, begun: begun, cost: cost)
            }
        }
        return try result.get()
    }

    /// One who waited has left; with the last one it is not made any more.
    private func leave(_ number: UInt64) {
        let task = state.withLock { state -> Task<SharedBody, any Error>? in
            guard state.making?.number == number else { return nil }
            state.making?.waiting -= 1
            guard state.making?.waiting == 0 else { return nil }
            defer { state.making = nil }
            return state.making?.task
        }
        task?.cancel()
    }
}
