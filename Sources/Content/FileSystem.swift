internal import CLinux

/// The file system that a file is on.
enum FileSystem {
    /// Flushes the whole file system in one call: syncfs(2). Failed writes are reported since Linux 5.8.
    ///
    /// - Returns: 0, or -1 and `errno`.
    static func sync(_ descriptor: CInt) -> CInt { clinux_sync_file_system(descriptor) }
}
