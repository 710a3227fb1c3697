import CLinux
import Glibc

/// A descriptor that becomes readable to wake the thread that polls it (eventfd(2)).
package final class WakeDescriptor: Sendable {
    /// For `poll`. It never blocks.
    package let number: Int32

    /// - Throws: the system's reason, if there is no free descriptor.
    package init() throws(SystemFailure) {
        number = clinux_wake_descriptor()
        guard number >= 0 else { throw SystemFailure() }
    }

    deinit {
        close(number)
    }

    /// Makes it readable. May be called from any thread.
    package func wake() {
        var one: UInt64 = 1
        _ = write(number, &one, 8)
    }

    /// Makes it unreadable until the next `wake`.
    package func reset() {
        var count: UInt64 = 0
        _ = read(number, &count, 8)
    }
}
