import Glibc

/// Why a system call failed: its `errno`.
package struct SystemFailure: Error, Hashable, CustomStringConvertible {
    /// As in errno(3).
    package let code: Int32

    /// - Parameter code: by default, the code of the last call that failed in this thread.
    package init(_ code: Int32 = errno) {
        self.code = code
    }

    /// The system's error message.
    package var description: String { String(cString: strerror(code)) }
}
