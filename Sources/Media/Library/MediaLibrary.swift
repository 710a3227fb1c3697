package import Curation
import Glibc
package import Platform
package import SiteFormat
import Synchronization
import Text

/// The files that curators upload. They are checked, cleaned and stored under their hashes.
///
/// Every stored file was decoded or read completely, and contains no locations, names or programs. Files never change,
/// and the same bytes are stored only once. A library belongs to one process; others may only read its files.
package final class MediaLibrary: Sendable {
    package let limits: MediaLimits
    let folder: MediaFolder
    let helper: ImageHelper
    let jobs: JobQueue
    private let state: Mutex<State>
    /// Thumbnails that are being made. A page with many copies of one picture makes its thumbnail once.
    let thumbnails = SharedWork<String>()

    private struct State {
        var bytes: Int64 = 0
        /// That arrive.
        var uploads = 0
        /// That have arrived.
        var arrivedUploads = 0
        var lastUpload = 0
    }

    /// Creates the folders, removes what an abrupt end has left, and adds up the sizes of the files. Blocks its thread.
    ///
    /// - Parameter folder: the server's state folder, with the folders `media`, `uploads` and `thumbnails`.
    package init(folder: String, helper: ImageHelper, limits: MediaLimits = MediaLimits()) throws(MediaError) {
        self.folder = MediaFolder(root: folder)
        self.limits = limits
        self.helper = helper
        jobs = JobQueue(parallel: limits.parallelJobs, waiting: limits.waitingJobs)
        try self.folder.prepare()
        let bytes = self.folder.files(below: "media").reduce(0) { $0 + (MediaFolder.status($1.path)?.bytes ?? 0) }
        state = Mutex(State(bytes: bytes))
    }

    /// The size of all files in bytes, without thumbnails and unfinished uploads.
    package var bytes: Int64 { state.withLock { $0.bytes } }

    /// A new, empty file among the uploads, for received data that is not a media file. If the server is killed, the
    /// file is removed at the next start.
    package func workFile() throws(SystemFailure) -> WorkFile { try WorkFile(among: folder) }

    /// The path of a file, whether it exists or not.
    package func path(of hash: AssetHash) -> String { folder.file(hash) }

    /// The size of a file in bytes; nil if it does not exist.
    package func size(of hash: AssetHash) -> Int64? { MediaFolder.status(folder.file(hash))?.bytes }

    // MARK: - Uploads

    /// Starts an upload.
    ///
    /// - Parameters:
    ///   - name: the file's name as the client gives it. It is only shown.
    ///   - length: the bytes that the client declares; 0 if it declares none.
    /// - Throws: `.tooLarge` if no kind of file may have that length, `.busy` if too many uploads are running, `.full`,
    ///   or `.system` with the system's reason.
    package func beginUpload(name: String, declaring length: Int64 = 0) async throws(MediaError) -> MediaUpload {
        let shownName = shortened(printable(String(name.unicodeScalars.prefix(400))), 120, cut: .middle)
        guard length <= limits.largestUpload else { throw MediaError(tooLarge: limits.largestUpload).at(shownName) }
        guard bytes < limits.totalBytes else { throw tooFull.at(shownName) }
        let number = state.withLock { state -> Int? in
            guard state.uploads < limits.uploads, state.arrivedUploads < limits.arrivedUploads else { return nil }
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
                try PartialFile(path: path, limits: limits) { [weak self] in
                    self?.uploadArrived()
                } ended: { [weak self] hasArrived in
                    self?.uploadEnded(hasArrived: hasArrived)
                }
            }
            return MediaUpload(name: shownName, file: file)
        } catch {
            uploadEnded(hasArrived: false)
            throw error.at(shownName)
        }
    }

    private func uploadArrived() {
        state.withLock {
            $0.uploads -= 1
            $0.arrivedUploads += 1
        }
    }

    private func uploadEnded(hasArrived: Bool) {
        state.withLock {
            if hasArrived { $0.arrivedUploads -= 1 } else { $0.uploads -= 1 }
        }
    }

    /// Checks a complete upload, cleans it and stores it.
    ///
    /// - Returns: a document with everything that is known about the file. The caller has to save it.
    /// - Throws: the reason for refusing the file. The upload is then removed.
    package func finish(_ upload: MediaUpload) async throws(MediaError) -> MediaDocument {
        do throws(MediaError) {
            let received = try await upload.file.take()
            // A stored file has another name by then. Other files are removed now, not when their thread ends.
            defer { unlink(received.work.path) }
            return try await jobs.run { [self] () throws(MediaError) in
                try store(try CleanFile(received, in: self), name: upload.name)
            }
        } catch {
            throw error.at(upload.name)
        }
    }

    /// Adds a file for an import, as if it were uploaded.
    package func add(_ bytes: [UInt8], name: String) async throws(MediaError) -> MediaDocument {
        let upload = try await beginUpload(name: name)
        var rest = bytes[...]
        repeat {
            try await upload.write(Array(rest.prefix(1 << 16)))
            rest = rest.dropFirst(1 << 16)
        } while !rest.isEmpty
        return try await finish(upload)
    }

    /// Moves a clean file to its place. Blocks its thread.
    func store(_ clean: CleanFile, name: String) throws(MediaError) -> MediaDocument {
        let target = folder.file(clean.file.hash)
        if !state.withLock({ _ in keeps(target, clean.file.count) }) {
            try folder.flush(clean.file.work, for: target)
            // The same file may have been stored meanwhile. It counts once, as the one that is replaced.
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

    /// Whether a complete file is in place. It counts as needed now, because `sweep` keeps files that are new.
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

    /// Removes a file and its thumbnails. Does nothing if there is none.
    package func remove(_ hash: AssetHash) async throws(MediaError) {
        try await onOwnThread { [self] () throws(MediaError) in _ = try delete(hash) { _ in true } }
    }

    /// Seconds for which a file that nothing needs is kept, because its document may not be saved yet.
    package static let sweepAge = 86_400

    /// Removes files that nothing needs.
    ///
    /// - Parameters:
    ///   - needed: the files of all documents, including those in the bin, and of all revisions.
    ///   - age: in seconds; younger files are kept.
    /// - Returns: the number of bytes that were freed.
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

    /// - Parameter isOld: called with the time when the file was last needed, in seconds since 1970.
    /// - Returns: the number of bytes that were freed.
    private func delete(_ hash: AssetHash, if isOld: (Int) -> Bool) throws(MediaError) -> Int64 {
        let path = folder.file(hash)
        // The lock keeps others from storing the same file in between and relying on it.
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
