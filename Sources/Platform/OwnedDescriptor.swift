import Glibc

/// A file descriptor that is closed when its last owner is released. A reader on its own thread and the writers end at
/// different times, and a number that is closed too early may already belong to another file.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}
