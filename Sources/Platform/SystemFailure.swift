import Glibc

/// Why a call of the system failed: its `errno`.
package struct SystemFailure: Error, Hashable, CustomStringConvertible {
    /// As in errno(3).
    package let code: Int32

    /// - Parameter code: that of the last call that failed in this thread.
    package init(_ code: Int32 = errno) {
        self.code = code
    }

    /// The system's words.
    package var description: String { String(cString: strerror(code)) }
}
