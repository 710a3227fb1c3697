import Glibc

/// What the file system knows about a file.
package enum FileFacts {
    /// Whether it is a folder.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a file is at this path or above it, so that there can be no folder.
    package static func isFileInstead(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT != S_IFDIR : errno == ENOTDIR
    }

    /// Whether everybody on this computer can read it.
    static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }
}
