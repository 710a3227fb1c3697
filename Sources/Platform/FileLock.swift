import Glibc

/// Locks of whole files between processes. flock(2).
package enum FileLock {
    package enum Outcome {
        /// The descriptor holds the lock until it is released, or the process ends.
        case held(Int32)
        /// Another process holds it.
        case busy
        case failed(SystemFailure)
    }

    /// Takes the lock of a file, which is created if it does not exist. Does not wait.
    package static func take(_ path: String) -> Outcome {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return .failed(SystemFailure()) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return .held(descriptor) }
        let failure = SystemFailure()
        close(descriptor)
        return failure.code == EWOULDBLOCK ? .busy : .failed(failure)
    }

    /// Releases the lock of a descriptor, and closes it.
    ///
    /// Closing alone is not enough. A child that another thread has just started also has the file open, and with it
    /// the lock, until it runs its program.
    package static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
