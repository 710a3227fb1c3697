// Both have struct timespec: it belongs to the one that the compiler has read first.
import CLinux
import Glibc

/// Distinguishes two states of a regular file without reading it. stat(2).
package struct FileIdentity: Equatable, Sendable {
    package let inode: UInt64
    package let bytes: Int64
    package let seconds: Int
    package let nanoseconds: Int

    /// Nil if there is no regular file.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        inode = UInt64(status.st_ino)
        bytes = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
