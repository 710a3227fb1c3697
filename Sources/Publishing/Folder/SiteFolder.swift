package import Curation
import Glibc
import Platform
package import SiteFormat

/// A folder with the static site, for a web server, an object store or a CDN: `FOLDER/v1/site.json` and so on.
///
/// Readers of the old list and of the new one find everything that their list names, at every moment, even if the
/// publisher is killed. Unchanged files keep their inode and their time. Files that no list names any more are removed
/// after a while. The publisher's notes and unfinished files are in `FOLDER/.publish`, which only its owner can read.
package struct SiteFolder: Sendable {
    package let path: String
    /// Seconds for which files that are no longer named are kept for readers of an old list.
    package var keepS = SiteFolder.defaultKeepS
    /// A day.
    package static let defaultKeepS = 86_400.0

    package init(_ path: String) {
        self.path = PathText.withoutLastSlashes(path)
    }

    /// The numbers of files that were written, kept and removed.
    package struct Outcome: Hashable, Sendable {
        package var written = 0
        package var kept = 0
        package var removed = 0

        package init(written: Int = 0, kept: Int = 0, removed: Int = 0) {
            (self.written, self.kept, self.removed) = (written, kept, removed)
        }
    }

    /// Makes the folder if it is not there, and finds out whether files can be written into it, so that this does not
    /// come out at the first publication. It blocks.
    ///
    /// - Throws: `PublishingError`.
    package func prepare() throws(PublishingError) {
        var files = DurableFiles(temporary: "\(path)/.publish")
        try makeNotes(&files)
        try files.makeFolder("\(path)/v1")
        for folder in ["\(path)/.publish", "\(path)/v1"] {
            guard access(folder, W_OK | X_OK) == 0 else { throw PublishingError(system: folder) }
        }
        try files.flush()
    }

    /// The folder of the publisher's notes.
    private func makeNotes(_ files: inout DurableFiles) throws(PublishingError) {
        guard !path.isEmpty else {
            throw PublishingError(.storage, "the name of the folder is empty", remedy: "name a folder")
        }
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFDIR else {
            throw PublishingError(.storage, place: path, "it is no folder", remedy: "name a folder")
        }
        try files.makeFolder("\(path)/.publish", mode: 0o700)
    }

    /// Publishes a revision. It blocks: call it on a thread of its own.
    ///
    /// - Parameters:
    ///   - media: the path of a file in the media library.
    ///   - now: the time by which files that are no longer needed are removed.
    /// - Throws: `PublishingError`. The previous publication is then still complete.
    @discardableResult
    package func publish(
        _ built: BuiltRevision, at now: Moment, media: (AssetHash) -> String
    ) throws(PublishingError) -> Outcome {
        var files = DurableFiles(temporary: "\(path)/.publish")
        try makeNotes(&files)
        let lock = try OwnedLock("\(path)/.publish")
        defer { lock.release() }
        try refuseGoingBack(built)
        var outcome = Outcome()
        for (hash, asset) in built.assets.sorted(by: { $0.key < $1.key }) {
            let target = "\(path)/v1/assets/\(hash)"
            if fileSize(target) == asset.bytes {
                outcome.kept += 1
            } else {
                try files.place(media(hash), hash: hash, at: target)
                outcome.written += 1
            }
        }
        for (name, file) in built.files.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
            let target = "\(path)/v1/\(name)"
            let isThere = fileSize(target) == Int64(file.bytes.count) && readFile(target) == file.bytes
            if isThere {
                outcome.kept += 1
            } else {
                try put(file, named: name, &files)
                outcome.written += 1
            }
        }
        if let signature = built.signature {
            try write(signature, to: "signatures/\(AssetHash(of: built.list))", &files, &outcome)
        }
        // Everything that the list names must be on the disk before the list itself.
        try files.flush()
        try write(built.list, to: "site.json", &files, &outcome)
        try files.flush()
        outcome.removed = try FolderSweep(path: path, keepS: keepS).sweep(built, now, &files)
        try files.flush()
        return outcome
    }

    /// The list in the folder; nil if there is none.
    package var list: [UInt8]? { readFile("\(path)/v1/site.json") }

    private func write(
        _ bytes: [UInt8], to name: String, _ files: inout DurableFiles, _ outcome: inout Outcome
    ) throws(PublishingError) {
        if readFile("\(path)/v1/\(name)") == bytes {
            outcome.kept += 1
        } else {
            try files.write(bytes, to: "\(path)/v1/\(name)")
            outcome.written += 1
        }
    }

    /// Writes a file. The path by identity becomes a second name of the file by content.
    private func put(_ file: BuiltFile, named name: String, _ files: inout DurableFiles) throws(PublishingError) {
        let content = "manifests/\(file.hash).json"
        if name != content, built(content) {
            do {
                return try files.link("\(path)/v1/\(content)", to: "\(path)/v1/\(name)")
            } catch {
                // The file system has no hard links.
            }
        }
        try files.write(file.bytes, to: "\(path)/v1/\(name)")
    }

    private func built(_ name: String) -> Bool { fileSize("\(path)/v1/\(name)") != nil }

    /// Files by content come first, because the others become second names of them.
    private static func order(_ name: String) -> (Int, String) { (name.hasPrefix("manifests/") ? 0 : 1, name) }

    private func refuseGoingBack(_ built: BuiltRevision) throws(PublishingError) {
        guard let list, let there = try? SiteList(json: list), let new = try? SiteList(json: built.list),
            there.revision > new.revision || (there.revision == new.revision && list != built.list)
        else { return }
        let (next, isTooHigh) = there.revision.addingReportingOverflow(1)
        throw PublishingError(
            .content, place: "\(path)/v1/site.json",
            "it is revision \(there.revision), and devices refuse revision \(new.revision) after it",
            remedy: isTooHigh ? "name another folder" : "publish with --at-least \(next), or name another folder")
    }
}

/// Keeps other publishers away from a folder.
private struct OwnedLock {
    private let descriptor: Int32

    init(_ folder: String) throws(PublishingError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PublishingError(system: folder) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isBusy = errno == EWOULDBLOCK
            let failure = PublishingError(system: folder)
            close(descriptor)
            throw isBusy
                ? PublishingError(
                    .busy, place: folder, "another program publishes into this folder",
                    remedy: "try again when it is done")
                : failure
        }
    }

    func release() { FileLock.release(descriptor) }
}

/// The size of a regular file; nil if there is none.
func fileSize(_ path: String) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
}

/// The bytes of a file; nil if it cannot be read.
func readFile(_ path: String) -> [UInt8]? {
    guard fileSize(path) != nil, var reader = try? HashedReader(path) else { return nil }
    var bytes: [UInt8] = []
    do {
        while let portion = try reader.next() { bytes += portion }
    } catch {
        return nil
    }
    return bytes
}
