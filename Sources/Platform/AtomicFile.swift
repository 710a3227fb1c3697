package import Glibc

/// Replaces files atomically: a reader finds the old content or the new, never a part of it, even after a power cut.
package enum AtomicFile {
    /// The owner and permissions of the new file.
    package enum Rights: Sendable {
        /// These permissions, minus the process's umask.
        case permissions(mode_t)
        /// Owner and permissions of the old file; 0644, minus the process's umask, if there was none.
        case kept
    }

    /// Writes the whole text. A symbolic link stays, and its target is replaced. If another program is replacing the
    /// same file, this waits for it.
    ///
    /// - Throws: the system's reason. The old file is then unchanged, and no temporary file remains.
    package static func replace(_ path: String, with text: String, rights: Rights) throws(SystemFailure) {
        let target = target(of: path)
        let temporary = target + ".part"
        var old = stat()
        let isThere = stat(target, &old) == 0
        if isThere, old.st_mode & S_IFMT != S_IFREG { return try writeThrough(text, to: target) }
        let file = try makeUnfinished(temporary, rights.permissions(isThere))
        do throws(SystemFailure) {
            if case .kept = rights, isThere { try copyRights(of: old, to: file) }
            try write(text, to: file)
            try check(fsync(file))
            try check(rename(temporary, target))
        } catch {
            // In this order: after the release, the name belongs to the program that waits for it.
            unlink(temporary)
            FileLock.release(file)
            throw error
        }
        FileLock.release(file)
        flushFolder(of: target)
    }

    /// Creates the unfinished file. Its lock shows that it is being written. This waits for another writer's file, and
    /// removes one that an ended program has left.
    private static func makeUnfinished(_ path: String, _ permissions: mode_t) throws(SystemFailure) -> Int32 {
        while true {
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
            if file >= 0 {
                if lock(file, at: path) { return file }
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
            guard !lock(other, at: path) || unlink(path) == 0 else { throw SystemFailure() }
        }
    }

    /// Waits for the lock of a file. If the file system has no locks, this does not wait.
    ///
    /// - Returns: whether the file is still the one at the path.
    private static func lock(_ file: Int32, at path: String) -> Bool {
        while flock(file, LOCK_EX) != 0, errno == EINTR {}
        return FileNumber(descriptor: file) == FileNumber(of: path, followsLink: false)
    }

    /// Writes a whole text at a descriptor's position.
    package static func write(_ text: String, to descriptor: Int32) throws(SystemFailure) {
        try write(Array(text.utf8), to: descriptor)
    }

    /// Writes all bytes at a descriptor's position.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw SystemFailure() }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// A device or a pipe is written to directly, because it cannot be replaced.
    private static func writeThrough(_ text: String, to path: String) throws(SystemFailure) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        try write(text, to: descriptor)
    }

    /// Creates the folder of a file if it does not exist, and makes its name durable, so that files in it are not lost
    /// with it. Errors are ignored: creating the file itself will report them.
    package static func makeFolder(of path: String, permissions: mode_t) {
        let folder = folder(of: path)
        if mkdir(folder, permissions) == 0 { flushFolder(of: folder) }
    }

    /// The folder that a path's file is in.
    package static func folder(of path: String) -> String {
        guard let end = path.lastIndex(of: "/") else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    private static func copyRights(of old: stat, to file: Int32) throws(SystemFailure) {
        try check(fchmod(file, old.st_mode & 0o7777))
        let isSame = old.st_uid == geteuid() && old.st_gid == getegid()
        guard !isSame else { return }
        try check(fchown(file, old.st_uid, old.st_gid))
    }

    /// The file that is replaced: what a symbolic link leads to, or the path itself.
    package static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Flushes a folder, which makes new names in it durable. Some file systems do not support this, and then nothing
    /// better is possible.
    ///
    /// - Throws: if the folder cannot be opened.
    package static func flush(_ folder: String) throws(SystemFailure) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        fsync(descriptor)
        close(descriptor)
    }

    /// Makes the name of a file durable, as far as its folder can be opened.
    package static func flushFolder(of path: String) {
        try? flush(folder(of: path))
    }

    private static func check(_ result: Int32) throws(SystemFailure) {
        guard result == 0 else { throw SystemFailure() }
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
