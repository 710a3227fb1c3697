import Beacon
import Platform
import SiteFormat

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The few file operations that the store needs, with errors that name the file. They block: the writer calls them on a
/// thread for the disk.
enum Files {
    /// The whole file; nil if there is none.
    static func read(_ path: String, limit: Int) throws(ContentError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("cannot be read", path)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = retrying { systemRead(descriptor, &chunk, chunk.count) }
            guard count >= 0 else { throw failure("cannot be read", path) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw ContentError(
                    code: .tooLarge, place: path, cause: "it is larger than \(limit) bytes",
                    remedy: "raise the limit or remove the file")
            }
        }
    }

    /// Passes the file's bytes on in chunks. Returns false if the file cannot be read to its end.
    static func readChunks(_ path: String, _ use: (UnsafeRawBufferPointer) -> Void) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var chunk = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = retrying { systemRead(descriptor, &chunk, chunk.count) }
            guard count > 0 else { return count == 0 }
            chunk.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// The next bytes of an open file, at least one; nil if there are none or they cannot be read.
    static func read(_ descriptor: CInt, at offset: Int64, most: Int) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: most)
        let count = retrying { pread(descriptor, &chunk, most, off_t(offset)) }
        guard count > 0 else { return nil }
        chunk.removeLast(most - count)
        return chunk
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Creates a folder and those above it. The new entry is flushed to the disk, so that files that are later put into
    /// the folder cannot be lost with it.
    static func makeFolder(_ path: String) throws(ContentError) {
        if isFolder(path) { return }
        let parent = PathText.folder(of: path)
        if parent != path { try makeFolder(parent) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure("cannot be made", path) }
        try syncFolder(parent)
    }

    static func syncFolder(_ path: String) throws(ContentError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot be opened", path) }
        defer { close(descriptor) }
        // Some file systems cannot flush folders and return EINVAL. Nothing better is possible on them.
        guard retrying({ Int(fsync(descriptor)) }) == 0 || errno == EINVAL else {
            throw failure("cannot be flushed to the disk", path)
        }
    }

    /// Opens a new file for writing. Fails if a file with that name exists.
    static func create(_ path: String) throws(ContentError) -> CInt {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("cannot be made", path) }
        return descriptor
    }

    /// Opens a file for reading, and for writing at its end. Creates it if it is missing.
    static func append(_ path: String) throws(ContentError) -> CInt {
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw failure("cannot be opened", path) }
        return descriptor
    }

    /// Makes an open file empty.
    static func truncate(_ descriptor: CInt, path: String) throws(ContentError) {
        guard retrying({ Int(ftruncate(descriptor, 0)) }) == 0 else { throw failure("cannot be emptied", path) }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, path: String) throws(ContentError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = retrying { systemWrite(descriptor, rest.baseAddress, rest.count) }
            guard count > 0 else { throw failure("cannot be written", path) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    static func write(_ bytes: [UInt8], to descriptor: CInt, path: String) throws(ContentError) {
        var failed: ContentError?
        bytes.withUnsafeBytes { pointer in
            do throws(ContentError) {
                try write(pointer, to: descriptor, path: path)
            } catch {
                failed = error
            }
        }
        if let failed { throw failed }
    }

    static func sync(_ descriptor: CInt, path: String) throws(ContentError) {
        guard retrying({ Int(fsync(descriptor)) }) == 0 else { throw failure("cannot be flushed to the disk", path) }
    }

    /// Flushes everything on the file system of `descriptor` in one call.
    static func syncAll(_ descriptor: CInt, path: String) throws(ContentError) {
        guard retrying({ Int(FileSystem.sync(descriptor)) }) == 0 else {
            throw failure("cannot be flushed to the disk", path)
        }
    }

    static func move(_ from: String, to target: String) throws(ContentError) {
        guard rename(from, target) == 0 else { throw failure("cannot be put into place", target) }
    }

    static func remove(_ path: String) throws(ContentError) {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw failure("cannot be removed", path)
        }
    }

    /// Bytes that an unprivileged process may still write to the file system of `path`; nil if it does not report them.
    static func freeBytes(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    /// The total size of all files below a folder, in bytes.
    static func treeBytes(_ folder: String) -> Int64 {
        FolderListing.names(in: folder).reduce(0) { sum, name in
            let path = "\(folder)/\(name)"
            return sum.addingClamped(FileIdentity(of: path)?.bytes ?? treeBytes(path))
        }
    }

    /// The size of the file system of `path` in bytes; nil if it does not report it.
    static func totalBytes(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    /// Takes the exclusive lock of `path`. The lock lasts until the descriptor is closed, also by a kill.
    ///
    /// - Throws: if another process holds it.
    static func lock(_ path: String) throws(ContentError) -> CInt {
        switch FileLock.take(path) {
        case .held(let descriptor): return descriptor
        case .busy:
            throw ContentError(
                code: .locked, place: path, cause: "another process is syncing into this store",
                remedy: "stop the other one, or give this one another directory")
        case .failed(let reason):
            errno = reason.code
            throw failure("cannot be locked", path)
        }
    }

    static func closeDescriptor(_ descriptor: CInt) {
        close(descriptor)
    }

    private static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    static func failure(_ what: String, _ path: String) -> ContentError {
        let number = errno
        let cause = "it \(what) (\(String(cString: strerror(number))))"
        switch number {
        case ENOSPC, EDQUOT:
            return ContentError(
                code: .diskFull, place: path, cause: cause,
                remedy: "free space on its file system; syncing then continues")
        case EROFS:
            return ContentError(
                code: .storage, place: path, cause: cause,
                remedy: "\(InstalledService.daemon.toWrite), or configure another directory")
        case EACCES, EPERM:
            return ContentError(
                code: .storage, place: path, cause: cause,
                remedy: "give this user the right to it, or configure another directory")
        default:
            return ContentError(
                code: .storage, place: path, cause: cause, remedy: "check the directory and its file system")
        }
    }
}

// Inside `Files`, the plain names would call its own functions.
private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
