package import Radio

extension OwnThread {
    /// Runs `body` on a new thread and suspends until it is done.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try start { continuation.resume(with: Swift.Result(catching: body)) }
            } catch {
                continuation.resume(throwing: ProgramExit(1, "\(error)"))
            }
        }
    }
}
