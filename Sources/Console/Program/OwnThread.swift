import Glibc

/// A thread of its own for work that blocks, so that the cooperative threads never do.
public enum OwnThread {
    /// Runs `body` on a new thread and suspends until it is done.
    public static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let work = Work { continuation.resume(with: Swift.Result(catching: body)) }
            var thread = pthread_t()
            let context = Unmanaged.passRetained(work)
            let code = pthread_create(&thread, nil, { context in
                // Retained above for exactly this call; a start routine always gets its argument.
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, context.toOpaque())
            if code == 0 {
                pthread_detach(thread)
            } else {
                context.release()
                continuation.resume(throwing: ProgramExit(1, "cannot start a thread: \(String(cString: strerror(code)))"))
            }
        }
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
