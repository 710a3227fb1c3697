internal import Dispatch

/// Runs an actor on a serial queue of its own, for work that must not block a thread of the cooperative pool. `fsync`
/// may take a second, and decoding a manifest of a megabyte takes tens of milliseconds.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: the name that debuggers show.
    init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
