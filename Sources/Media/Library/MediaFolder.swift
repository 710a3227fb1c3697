import Glibc
import Platform
import SiteFormat

/// The paths of the library. All of them consist of hashes and numbers, never of names that clients send.
struct MediaFolder: Sendable {
    let root: String

    var uploads: String { "\(root)/uploads" }

    func file(_ hash: AssetHash) -> String { "\(root)/media/\(part(hash))/\(hash)" }

    func thumbnail(_ hash: AssetHash, _ size: ThumbnailSize) -> String {
        "\(root)/thumbnails/\(part(hash))/\(hash)-\(size.rawValue).webp"
    }

    private func part(_ hash: AssetHash) -> Substring { hash.description.prefix(2) }

    /// Creates the folders, and removes unfinished uploads and thumbnails of a server that has ended.
    func prepare() throws(MediaError) {
        for folder in [root, uploads, "\(root)/media", "\(root)/thumbnails"] {
            if mkdir(folder, 0o750) == 0 {
                FolderOwner.give(folder: folder, in: root)
                AtomicFile.flushFolder(of: folder)
            } else if errno != EEXIST {
                throw MediaError(SystemFailure(), path: folder)
            }
        }
        guard access(uploads, W_OK | X_OK) == 0 else { throw MediaError(SystemFailure(), path: uploads) }
        for name in FolderListing.names(in: uploads) where !Self.isInUse("\(uploads)/\(name)") {
            unlink("\(uploads)/\(name)")
        }
    }

    static func make(_ path: String) throws(MediaError) -> Int32 {
        do throws(SystemFailure) { return try create(path) } catch { throw MediaError(error, path: path) }
    }

    /// Creates a new file in the folder of uploads. Its lock shows that it is in use, and ends with the process.
    static func create(_ path: String) throws(SystemFailure) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure() }
        FolderOwner.give(descriptor, of: PathText.folder(of: path))
        flock(descriptor, LOCK_EX | LOCK_NB)
        return descriptor
    }

    /// Whether a process is still writing this file: a command may open the library of a running server.
    private static func isInUse(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Gives a finished file its name. After a power cut, the file is there completely or not at all.
    func adopt(_ file: WorkFile, as target: String) throws(MediaError) {
        try flush(file, for: target)
        try name(file, target)
        AtomicFile.flushFolder(of: target)
    }

    /// The first step, which may take long: flushes the whole file to the disk.
    func flush(_ file: WorkFile, for target: String) throws(MediaError) {
        // The file must not be released before: then its descriptor would be closed and its name removed.
        defer { withExtendedLifetime(file) {} }
        AtomicFile.makeFolder(of: target, permissions: 0o750)
        FolderOwner.give(folder: PathText.folder(of: target), in: root)
        fchmod(file.descriptor.number, 0o640)
        guard fsync(file.descriptor.number) == 0 else { throw MediaError(SystemFailure(), path: target) }
    }

    /// The second step, which is quick: renames the file. `AtomicFile.flushFolder` makes the new name durable.
    func name(_ file: WorkFile, _ target: String) throws(MediaError) {
        guard rename(file.path, target) == 0 else { throw MediaError(SystemFailure(), path: target) }
    }

    /// The files of the two-letter folders below `media` or `thumbnails`, as (path, name).
    func files(below kind: String) -> [(path: String, name: String)] {
        FolderListing.names(in: "\(root)/\(kind)").flatMap { part in
            FolderListing.names(in: "\(root)/\(kind)/\(part)").map { ("\(root)/\(kind)/\(part)/\($0)", $0) }
        }
    }

    /// The size of a file and the time of its last change in seconds since 1970; nil if there is no such file.
    static func status(_ path: String) -> (bytes: Int64, changed: Int)? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int64(status.st_size), Int(status.st_mtim.tv_sec))
    }
}
