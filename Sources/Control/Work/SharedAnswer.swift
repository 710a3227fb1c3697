import NIOCore
package import Serving
import Synchronization

/// A text for many clients, stored once in memory.
package struct SharedBody: Sendable {
    let buffer: ByteBuffer
    /// The same text with a frame around it, as a message of a stream.
    let framed: ByteBuffer
    /// An entity tag (RFC 9110, section 8.8.3). Valid while this process runs.
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

/// An answer that is made once for all clients that ask for the same, and kept while it is valid.
package final class SharedAnswer<Key: Equatable & Sendable>: Sendable {
    private struct Made {
        var key: Key
        var number: UInt64
        var body: SharedBody
        var begun: ContinuousClock.Instant
        var cost: Duration
    }

    /// An answer that is being made.
    private struct Making {
        var key: Key
        var task: Task<SharedBody, any Error>
        var waiting = 1
        /// False if its data have changed in the meantime. No further client gets it.
        var isValid = true
    }

    private struct State {
        /// The last requested answer that is ready.
        var made: Made?
        /// The answers that are being made, by number. Clients may ask for several at the same time.
        var making: [UInt64: Making] = [:]
        var lastNumber: UInt64 = 0
    }

    private let queue: WorkQueue
    private let mayAge: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - queue: the queue in which it is made.
    ///   - mayAge: the answer may become invalid although its key stays the same. It is then kept for one second or ten
    ///     times as long as it took to make, whichever is longer, but at most half a minute.
    package init(_ queue: WorkQueue, mayAge: Bool = false) {
        self.queue = queue
        self.mayAge = mayAge
    }

    /// Suspends until the answer is ready.
    ///
    /// - Parameters:
    ///   - key: identifies the state for which the answer is valid.
    ///   - make: makes the answer, on a thread that it may block for long.
    /// - Throws: the errors of `make`, and `Refusal` if too many clients wait.
    package func body(
        for key: Key, _ make: @escaping @Sendable (WorkInterest) throws -> SharedBody
    ) async throws -> SharedBody {
        let (kept, number, task) = state.withLock { state -> (SharedBody?, UInt64, Task<SharedBody, any Error>?) in
            if let made = state.made, made.key == key, isGood(made) { return (made.body, made.number, nil) }
            if let (number, making) = state.making.first(where: { $0.value.isValid && $0.value.key == key }) {
                state.making[number]?.waiting += 1
                return (nil, number, making.task)
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task(executorPreference: ControlThreads.requests) {
                try await self.make(key, number, make)
            }
            state.making[number] = Making(key: key, task: task)
            return (nil, number, task)
        }
        if let kept { return kept }
        guard let task else { throw CancellationError() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            leave(number)
        }
    }

    /// Discards the answer because it has become invalid.
    package func forget() {
        state.withLock { state in
            state.made = nil
            for number in state.making.keys { state.making[number]?.isValid = false }
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
            guard let making = state.making.removeValue(forKey: number), making.isValid,
                case .success(let body) = result, number > state.made?.number ?? 0
            else { return }
            state.made = Made(key: key, number: number, body: body, begun: begun, cost: cost)
        }
        return try result.get()
    }

    /// One client stopped waiting. When the last one stops, the work is cancelled.
    private func leave(_ number: UInt64) {
        let task = state.withLock { state -> Task<SharedBody, any Error>? in
            state.making[number]?.waiting -= 1
            guard state.making[number]?.waiting == 0 else { return nil }
            return state.making.removeValue(forKey: number)?.task
        }
        task?.cancel()
    }
}
