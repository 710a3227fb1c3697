import Dispatch

/// A serial queue for work that blocks, and the state that only this work uses.
///
/// Disks may take a second, so the work runs on its own thread, outside the cooperative pool.
// Safe: the state is used on the queue only, by one piece of work at a time.
package final class BlockingQueue<State>: @unchecked Sendable {
    private let queue: DispatchQueue
    private var state: State

    /// - Parameter label: the queue's name, for debuggers.
    package init(_ label: String, _ state: sending State) {
        self.state = state
        queue = DispatchQueue(label: label)
    }

    /// Suspends until `body` is done. It runs after all earlier work.
    ///
    /// - Parameter onCancel: called at once, on any thread, when the task is cancelled. The work itself continues.
    package func run<Value: Sendable, Failure: Error>(
        onCancel: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (inout State) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
                queue.async {
                    let result: Result<Value, Failure>
                    do throws(Failure) {
                        result = .success(try body(&self.state))
                    } catch {
                        result = .failure(error)
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            onCancel()
        }
        return try result.get()
    }
}

/// What a queue has as state if its work has none.
///
/// It has a size, because a property without one (`Void`) has the address of the object itself. ThreadSanitizer takes
/// its use for a change of the object, and reports a race with each other access.
package struct NoState: Sendable {
    private let placeholder: UInt8 = 0
}

extension BlockingQueue where State == NoState {
    /// A queue whose work has no state of its own.
    package convenience init(_ label: String) {
        self.init(label, NoState())
    }

    /// Suspends until `body` is done. It runs after all earlier work.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await run { _ in body() }
    }
}
