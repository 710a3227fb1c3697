import Foundation

/// Runs what blocks on a thread of its own, and suspends until it is done: on two cores, two tests that wait for processes
/// would hold up all others.
public func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
}
