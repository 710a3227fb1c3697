/// Calls a closure when a time has passed, unless it is cancelled before.
package final class Deadline: Sendable {
    private let task: Task<Void, Never>?

    /// - Parameters:
    ///   - time: nil for no deadline.
    ///   - end: called once, on the cooperative pool, when the time has passed.
    package init(after time: Duration?, _ end: @escaping @Sendable () -> Void) {
        task = time.map { time in
            Task.detached {
                guard (try? await Task.sleep(for: time)) != nil else { return }
                end()
            }
        }
    }

    package func cancel() {
        task?.cancel()
    }

    deinit {
        cancel()
    }
}
