package import Curation
import Glibc
package import Platform
package import SiteFormat
import Synchronization
import Text

/// The files that curators upload: checked, cleaned, and stored under their hashes.
///
/// What is stored was decoded or read as a whole, and has no places, names or programs in it. Files are immutable; the
/// same bytes are stored once. A library belongs to one process, except that others may read its files.
package final class MediaLibrary: Sendable {
    package let limits: MediaLimits
    let folder: MediaFolder
    let helper: ImageHelper
    let jobs: JobQueue
    private let state: Mutex<State>
    /// Thumbnails that are being made, so that a page with one picture many times makes it once.
    let thumbnails = SharedWork<String>()

    private struct State {
        var bytes: Int64 = 0
        var uploads = 0
        var lastUpload = 0
    }

    /// Makes the folders, removes what was left over by an abrupt end, and sums up the files. Blocks its thread.
    ///
    /// - Parameter folder: the server's state folder; has `media`, `uploads` and `thumbnails` in it.
    package init(folder: String, helper: ImageHelper, limits: MediaLimits = MediaLimits()) throws(MediaError) {
        self.folder = MediaFolder(root: folder)
        self.limits = limits
        self.helper = helper
        jobs = JobQueue(parallel: limits.parallelJobs, waiting: limits.waitingJobs)
        try self.folder.prepare()
        let bytes = self.folder.files(below: "media").reduce(0) { $0 + (MediaFolder.status($1.path)?.bytes ?? 0) }
        state = Mutex(State(bytes: bytes))
    }

    /// Bytes of all files, without thumbnails and uploads that are not finished.
    package var bytes: Int64 { state.withLock { $0.bytes } }

    /// A new, empty file among the uploads, for what arrives and is no medium. What a server that was killed has left
    /// of it is removed at the next start.
    package func workFile() throws(SystemFailure) -> WorkFile { try WorkFile(among: folder) }

    /// Where a file is, whether or not it is there.
    package func path(of hash: AssetHash) -> String { folder.file(hash) }

    /// Its bytes, or nil if it is not there.
    package func size(of hash: AssetHash) -> Int64? { MediaFolder.status(folder.file(hash))?.bytes }

    // MARK: - Uploads

    /// Starts an upload.
    ///
    /// - Parameter name: the file's name as the client gives it; only shown.
    /// - Throws: `.busy` if too many are under way, `.full`, or the system's reason.
    package func beginUpload(name: String) async throws(MediaError) -> MediaUpload {
        let shownName = shortened(printable(String(name.unicodeScalars.prefix(400))), 120, cut: .middle)
        guard bytes < limits.totalBytes else { throw tooFull.at(shownName) }
        let number = state.withLock { state -> Int? in
            guard state.uploads < limits.uploads else { return nil }
            state.uploads += 1
            state.lastUpload += 1
            return state.lastUpload
        }
        guard let number else {
            throw MediaError(
                .busy, "too many files are uploaded at the same time", remedy: "try again in a minute", place: shownName
            )
        }
        let path = "\(folder.uploads)/\(getpid())-\(number).part"
        do throws(MediaError) {
            let file = try await onDiskThread { [limits] () throws(MediaError) in
                try PartialFile(path: path, limits: limits) { [weak self] in self?.uploadEnded() }
            }
            return MediaUpload(name: shownName, file: file)
        } catch {
            uploadEnded()
            throw error.at(shownName)
        }
    }

    private func uploadEnded() {
        state.withLock { $0.uploads -= 1 }
    }

    /// Checks a whole upload, cleans it and stores it.
    ///
    /// - Returns: a document with all that is known of the file. It is for the caller to save it.
    /// - Throws: why the file is refused. It is then gone.
    package func finish(_ upload: MediaUpload) async throws(MediaError) -> MediaDocument {
        do throws(MediaError) {
            let received = try await upload.file.take()
            // A file that was stored has another name by then. The others go now, not with the thread that had them.
            defer { unlink(received.work.path) }
            return try await jobs.run { [self] () throws(MediaError) in
                try store(try CleanFile(received, in: self), name: upload.name)
            }
        } catch {
            throw error.at(upload.name)
        }
    }

    /// A file that is there already, for imports; as if it were uploaded.
    package func add(_ bytes: [UInt8], name: String) async throws(MediaError) -> MediaDocument {
        let upload = try await beginUpload(name: name)
        var rest = bytes[...]
        repeat {
            try await upload.write(Array(rest.prefix(1 << 16)))
            rest = rest.dropFirst(1 << 16)
        } while !rest.isEmpty
        return try await finish(upload)
    }

    /// Moves a clean file to its place. Blocks.
    func store(_ clean: CleanFile, name: String) throws(MediaError) -> MediaDocument {
        let target = folder.file(clean.file.hash)
        if !state.withLock({ _ in keeps(target, clean.file.count) }) {
            try folder.flush(clean.file.work, for: target)
            // Somebody may have stored the same meanwhile. It counts once, as what takes its place.
            try state.withLock { state throws(MediaError) in
                guard !keeps(target, clean.file.count) else { return }
                let added = clean.file.count - (MediaFolder.status(target)?.bytes ?? 0)
                guard state.bytes + added <= limits.totalBytes else { throw tooFull }
                try folder.name(clean.file.work, target)
                state.bytes += added
            }
            AtomicFile.flushFolder(of: target)
        }
        return clean.document(name: name)
    }

    /// Whether a file is there as a whole. Now is when it was last needed: `sweep` keeps files that are new.
    private func keeps(_ path: String, _ bytes: Int64) -> Bool {
        guard MediaFolder.status(path)?.bytes == bytes else { return false }
        utimensat(AT_FDCWD, path, nil, 0)
        return true
    }

    private var tooFull: MediaError {
        let size = ByteCount.text(limits.totalBytes)
        return MediaError(
            .full, "the media library has reached its limit of \(size)", arguments: [size],
            remedy: "remove files that nothing needs, or raise the limit in the settings")
    }

    // MARK: - Removing

    /// Removes a file and its thumbnails. Nothing happens if it is not there.
    package func remove(_ hash: AssetHash) async throws(MediaError) {
        try await onOwnThread { [self] () throws(MediaError) in _ = try delete(hash) { _ in true } }
    }

    /// Seconds for which a file that nothing needs stays, because its document may not be saved yet.
    package static let sweepAge = 86_400

    /// Removes files that nothing needs.
    ///
    /// - Parameters:
    ///   - needed: the files of all documents, also of those in the bin, and of all revisions.
    ///   - age: seconds; younger files stay.
    /// - Returns: how many bytes were freed.
    @discardableResult
    package func sweep(needed: Set<AssetHash>, olderThan age: Int = sweepAge) async throws(MediaError) -> Int64 {
        try await onOwnThread { [self] () throws(MediaError) in
            var freed: Int64 = 0
            let now = time(nil)
            for (_, name) in folder.files(below: "media") {
                guard let hash = AssetHash(name), !needed.contains(hash) else { continue }
                freed += try delete(hash) { now - $0 >= age }
            }
            return freed
        }
    }

    /// - Parameter isOld: asked with the time when the file was last needed, in seconds.
    /// - Returns: how many bytes were freed.
    private func delete(_ hash: AssetHash, if isOld: (Int) -> Bool) throws(MediaError) -> Int64 {
        let path = folder.file(hash)
        // Nobody can store the same in between, and rely on it.
        let removed = try state.withLock { state throws(MediaError) -> Int64? in
            guard let status = MediaFolder.status(path) else { return 0 }
            guard isOld(status.changed) else { return nil }
            guard unlink(path) == 0 else { throw MediaError(SystemFailure(), path: path) }
            state.bytes -= status.bytes
            return status.bytes
        }
        guard let freed = removed else { return 0 }
        for size in ThumbnailSize.allCases { unlink(folder.thumbnail(hash, size)) }
        return freed
    }
}
