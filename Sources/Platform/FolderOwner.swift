import Glibc

/// The owner of a folder, who also gets what root makes in it.
///
/// A command that root runs in the folder of a service would otherwise leave files there that the service cannot use.
/// SQLite does the same with the files beside a database. Errors are ignored: some file systems have no owners.
package enum FolderOwner {
    /// Gives an open file to the owner of a folder, if this program runs as root.
    package static func give(_ file: Int32, of folder: String) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return }
        _ = fchown(file, status.st_uid, status.st_gid)
    }

    /// The same for a folder in it.
    package static func give(folder: String, in parent: String) {
        guard geteuid() == 0 else { return }
        // Opened first: its name may lead elsewhere when it is looked up a second time.
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        give(descriptor, of: parent)
    }
}
