internal import Dispatch

/// Runs an actor on a serial queue of its own: `fsync` may take a second, and must not hold a thread of the
/// cooperative pool meanwhile.
final class DiskExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "beacond.content.disk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
