import Glibc

/// Locks of whole files between processes. flock(2).
package enum FileLock {
    /// Releases the lock of a descriptor, and closes it.
    ///
    /// Closing alone is not enough: a child that another thread has just started has the file too until it runs its
    /// program, and with it the lock.
    package static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
