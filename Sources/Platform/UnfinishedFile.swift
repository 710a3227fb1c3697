import Glibc

/// A file that is written under a temporary name, and replaces the file of its own name when it is complete. If it does
/// not become complete, it is removed.
///
/// The temporary name has `.part` at its end. The temporary file is locked while it is written: two programs never
/// write the same one, and one that an ended program has left is removed. A symbolic link in its place is not followed.
package final class UnfinishedFile {
    /// Open for writing.
    package let descriptor: Int32
    private let target: String
    /// Nil for a device or a pipe, which is written to directly, because it cannot be replaced.
    private let temporary: String?
    private var isOpen = true

    /// Creates the temporary file.
    ///
    /// - Parameters:
    ///   - path: the file that is replaced, or created. If it is a symbolic link, the link stays, and its target is
    ///     replaced.
    ///   - waits: if another program is writing the same file, whether this waits for it. If not, this throws
    ///     `EWOULDBLOCK`. File systems without locks do not show it.
    /// - Throws: the system's reason. `ELOOP`: a symbolic link is in the place of the temporary file.
    package init(replacing path: String, rights: AtomicFile.Rights, waits: Bool = true) throws(SystemFailure) {
        let target = AtomicFile.target(of: path)
        var status = stat()
        let old: stat? = stat(target, &status) == 0 ? status : nil
        let isReplaced = old.map { $0.st_mode & S_IFMT == S_IFREG } ?? true
        let temporary = "\(target).part"
        let descriptor =
            try isReplaced ? Self.create(temporary, rights, over: old, waits: waits) : Self.openDirectly(target)
        self.descriptor = descriptor
        self.target = target
        self.temporary = isReplaced ? temporary : nil
    }

    deinit {
        guard isOpen else { return }
        // In this order: after the release, the name belongs to the program that waits for it.
        if let temporary { unlink(temporary) }
        FileLock.release(descriptor)
    }

    /// Writes all bytes at the end of what was written before.
    package func write(_ bytes: [UInt8]) throws(SystemFailure) {
        try AtomicFile.write(bytes, to: descriptor)
    }

    /// Flushes the file and gives it its name. Nothing can be written afterwards.
    ///
    /// - Parameter flushesFolder: whether the name is made durable, too. If not, the caller flushes the folder.
    /// - Throws: the system's reason. The old file is then unchanged.
    package func finish(flushesFolder: Bool = true) throws(SystemFailure) {
        guard isOpen else { return }
        if let temporary {
            guard fsync(descriptor) == 0, rename(temporary, target) == 0 else { throw SystemFailure() }
        }
        isOpen = false
        FileLock.release(descriptor)
        if temporary != nil, flushesFolder { AtomicFile.flushFolder(of: target) }
    }

    private static func openDirectly(_ path: String) throws(SystemFailure) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        return descriptor
    }

    private static func create(
        _ path: String, _ rights: AtomicFile.Rights, over old: stat?, waits: Bool
    ) throws(SystemFailure) -> Int32 {
        let file = try makeLocked(path, rights.permissions(old != nil), waits: waits)
        do throws(SystemFailure) {
            if case .kept = rights, let old { try copyRights(of: old, to: file) }
        } catch {
            unlink(path)
            FileLock.release(file)
            throw error
        }
        return file
    }

    /// Creates the temporary file and locks it. Removes one that an ended program has left.
    private static func makeLocked(_ path: String, _ permissions: mode_t, waits: Bool) throws(SystemFailure) -> Int32 {
        while true {
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
            if file >= 0 {
                // This waits at most for a program that takes the file for one that is left, and removes it.
                if try lock(file, at: path, waits: true) { return file }
                close(file)
                continue
            }
            guard errno == EEXIST else { throw SystemFailure() }
            let other = open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
            if other < 0 {
                guard errno == ENOENT else { throw SystemFailure() }
                continue
            }
            defer { close(other) }
            let isLeft = try lock(other, at: path, waits: waits)
            guard !isLeft || unlink(path) == 0 else { throw SystemFailure() }
        }
    }

    /// Locks a file. If the file system has no locks, this does nothing.
    ///
    /// - Returns: whether the file is still the one at the path.
    /// - Throws: `EWOULDBLOCK` if another program holds the lock, and this does not wait.
    private static func lock(_ file: Int32, at path: String, waits: Bool) throws(SystemFailure) -> Bool {
        while flock(file, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            let failure = SystemFailure()
            guard failure.code != EWOULDBLOCK else { throw failure }
            guard failure.code == EINTR else { break }
        }
        return FileNumber(descriptor: file) == FileNumber(of: path, followsLink: false)
    }

    private static func copyRights(of old: stat, to file: Int32) throws(SystemFailure) {
        guard fchmod(file, old.st_mode & 0o7777) == 0 else { throw SystemFailure() }
        let isSame = old.st_uid == geteuid() && old.st_gid == getegid()
        guard isSame || fchown(file, old.st_uid, old.st_gid) == 0 else { throw SystemFailure() }
    }
}

extension AtomicFile.Rights {
    /// Nobody else can read the new file before it has the old file's permissions.
    fileprivate func permissions(_ isThere: Bool) -> mode_t {
        switch self {
        case .permissions(let permissions): permissions
        case .kept: isThere ? 0o600 : 0o644
        }
    }
}
