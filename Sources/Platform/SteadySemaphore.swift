import CLinux
import Glibc

/// A counting semaphore (sem_overview(7)) whose time-outs use the monotonic clock.
///
/// On Linux, the time-outs of `DispatchSemaphore` use the wall clock. If that is set back by an hour, they last an
/// hour longer.
// Safe: the pointer never changes, and the functions of sem_t may be called by any thread.
final class SteadySemaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        // It fails only for a start above SEM_VALUE_MAX.
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func signal() { sem_post(semaphore) }

    func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }

    /// Waits for a signal, for this long at most.
    func wait(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return }
        clinux_semaphore_wait(semaphore, Int(min(seconds, 1 << 30)), Int(attoseconds / 1_000_000_000))
    }
}
