import Dispatch
import Glibc
import Synchronization

/// A separate thread for work that blocks, so that it never blocks the cooperative threads or an event loop.
package enum OwnThread {
    /// No thread can be started now.
    package struct Failure: Error, CustomStringConvertible {
        let code: Int32

        package var description: String { "cannot start a thread: \(SystemFailure(code))" }
    }

    /// Runs `body` on a new thread and returns at once.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(Failure) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Work(body: body))
        let code = pthread_create(
            &thread, nil,
            { context in
                // Retained above for exactly this call; a start routine always gets its argument.
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw Failure(code: code)
        }
        pthread_detach(thread)
    }

    /// Runs `body` on a new thread and suspends until it is done.
    ///
    /// - Throws: what `body` throws, or `Failure`.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try start { continuation.resume(with: Swift.Result(catching: body)) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Runs `body` in a task and blocks until it is done. Call it only on a separate thread: a thread of the
    /// cooperative pool would wait for itself.
    package static func wait<Result: Sendable>(for body: @escaping @Sendable () async throws -> Result) throws -> Result
    {
        let waiting = Waiting<Result>()
        Task {
            do {
                waiting.end(.success(try await body()))
            } catch {
                waiting.end(.failure(error))
            }
        }
        return try waiting.result()
    }

    /// The elements that `body` produces on a new thread until it returns; none if no thread can be started.
    package static func stream<Element: Sendable>(
        of type: Element.Type, _ body: @escaping @Sendable (AsyncStream<Element>.Continuation) -> Void
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: type)
        do {
            try start {
                body(continuation)
                continuation.finish()
            }
        } catch {
            continuation.finish()
        }
        return stream
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private final class Waiting<Value: Sendable>: Sendable {
        private let outcome = Mutex<Swift.Result<Value, any Error>?>(nil)
        private let semaphore = DispatchSemaphore(value: 0)

        func end(_ result: Swift.Result<Value, any Error>) {
            outcome.withLock { $0 = result }
            semaphore.signal()
        }

        func result() throws -> Value {
            while true {
                semaphore.wait()
                if let result = outcome.withLock(\.self) { return try result.get() }
            }
        }
    }
}
