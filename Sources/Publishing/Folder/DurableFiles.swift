import Glibc
import Platform
import SiteFormat

/// Puts files into a folder so that a reader finds each one complete or not at all, even after a power cut.
///
/// A new file is written under a temporary name, flushed, and renamed. Folders with new names in them are flushed
/// together, by `flush`.
struct DurableFiles {
    /// The folder of temporary files. It is on the same file system.
    let temporary: String
    private var touched: Set<String> = []

    init(temporary: String) {
        self.temporary = temporary
    }

    mutating func write(_ bytes: [UInt8], to path: String) throws(PublishingError) {
        try make(path) { (part: String) throws(PublishingError) in
            let file = try Self.create(part)
            defer { close(file) }
            try Self.write(bytes, to: file, path)
            guard fsync(file) == 0 else { throw PublishingError(system: path) }
        }
    }

    /// Gives a file that never changes a second name.
    mutating func link(_ source: String, to path: String) throws(PublishingError) {
        try make(path) { (part: String) throws(PublishingError) in
            guard Glibc.link(source, part) == 0 else { throw PublishingError(system: path) }
        }
    }

    /// Places a file of the media library: by a second name if possible, otherwise as a copy whose hash is checked.
    mutating func place(_ source: String, hash: AssetHash, at path: String) throws(PublishingError) {
        var status = stat()
        guard stat(source, &status) == 0 else { throw PublishingError(system: source) }
        // A web server of another user could not read a private file under its second name either.
        if status.st_mode & 0o044 == 0o044 {
            do {
                return try link(source, to: path)
            } catch {
                // The target is on another file system, or on one without hard links.
            }
        }
        try make(path) { (part: String) throws(PublishingError) in
            let file = try Self.create(part)
            defer { close(file) }
            var reading = try HashedReader(source)
            while let bytes = try reading.next() { try Self.write(bytes, to: file, path) }
            guard reading.hash == hash else {
                throw PublishingError(
                    .storage, place: source, "its bytes are no longer those that were uploaded",
                    remedy: "restore the file from a backup")
            }
            guard fsync(file) == 0 else { throw PublishingError(system: path) }
        }
    }

    /// Flushes the folders, so that the new names survive a power cut.
    mutating func flush() throws(PublishingError) {
        for folder in touched.sorted() {
            do {
                try AtomicFile.flush(folder)
            } catch {
                throw PublishingError(error, at: folder)
            }
        }
        touched = []
    }

    /// Creates a folder and those above it.
    mutating func makeFolder(_ path: String, mode: mode_t = 0o755) throws(PublishingError) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        let above = PathText.folder(of: path)
        if above != path { try makeFolder(above) }
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw PublishingError(system: path) }
        touched.insert(above)
    }

    private mutating func make(
        _ path: String, _ body: (_ part: String) throws(PublishingError) -> Void
    ) throws(PublishingError) {
        let part = "\(temporary)/part"
        unlink(part)
        do throws(PublishingError) {
            try body(part)
            let folder = PathText.folder(of: path)
            try makeFolder(folder)
            guard rename(part, path) == 0 else { throw PublishingError(system: path) }
            // If both names already were the same file, rename(2) leaves both.
            unlink(part)
            touched.insert(folder)
        } catch {
            unlink(part)
            throw error
        }
    }

    private static func create(_ path: String) throws(PublishingError) -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw PublishingError(system: path) }
        return file
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(PublishingError) {
        do {
            try AtomicFile.write(bytes, to: file)
        } catch {
            throw PublishingError(error, at: path)
        }
    }
}

extension PublishingError {
    /// The failure of the last system call of this thread.
    init(system path: String) {
        self.init(SystemFailure(), at: path)
    }

    init(_ failure: SystemFailure, at path: String) {
        let remedy =
            switch failure.code {
            case ENOSPC, EDQUOT: "make room there"
            case EACCES, EPERM: "let the server's user write there, or name another folder"
            case EROFS: "\(InstalledService.contentServer.toWrite), or name another folder"
            case ENOENT, ENOTDIR: "restore it, or name another folder"
            default: "look after the file system"
            }
        self.init(.storage, place: path, "\(failure)", remedy: remedy)
    }

    /// Why a file that somebody named cannot be read.
    init(reading path: String, _ failure: SystemFailure = SystemFailure()) {
        let remedy =
            switch failure.code {
            case EACCES, EPERM: "let this user read it"
            case ENOENT, ENOTDIR, EISDIR: "name a file"
            default: "look after the file system"
            }
        self.init(.storage, place: path, "\(failure)", remedy: remedy)
    }
}
