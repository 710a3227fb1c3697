// Both have struct timespec: it belongs to the one that the compiler has read first.
import CLinux
import Glibc

/// Identifies the file that a path or a descriptor refers to, whatever its name. stat(2).
package struct FileNumber: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let kind: mode_t

    package var isRegular: Bool { kind == S_IFREG }
    package var isSocket: Bool { kind == S_IFSOCK }

    /// Nil if there is no file.
    ///
    /// - Parameter followsLink: false for the link itself.
    package init?(of path: String, followsLink: Bool = true) {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        kind = status.st_mode & S_IFMT
    }
}
