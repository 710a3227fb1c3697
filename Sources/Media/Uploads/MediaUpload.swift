import Crypto
import Glibc
import Platform
import SiteFormat
import Text

/// A file that is being received. It is written to the disk at once. It is removed with its last owner if it is not
/// finished.
package final class MediaUpload: Sendable {
    /// The name that the client gave, made fit to be shown. Never part of a path.
    package let name: String
    let file: PartialFile

    init(name: String, file: PartialFile) {
        self.name = name
        self.file = file
    }

    /// Adds bytes.
    ///
    /// - Throws: `.tooLarge` or `.unsupported` as soon as that is known; `.full` if the disk is full. The file is then
    ///   removed.
    package func write(_ bytes: [UInt8]) async throws(MediaError) {
        do throws(MediaError) {
            try await onDiskThread { [file] () async throws(MediaError) in try await file.write(bytes) }
        } catch {
            throw error.at(name)
        }
    }

    /// Notes that all bytes are there: another upload may begin while this one waits to be finished.
    package func arrived() async {
        await file.arrive()
    }

    /// The number of bytes received so far.
    package var count: Int64 {
        get async { await file.count }
    }

    /// Removes the received bytes.
    package func abandon() async {
        await file.abandon()
    }
}

/// The file of an upload. It is used on the disk thread.
actor PartialFile {
    let path: String
    private(set) var count: Int64 = 0
    private var hash = SHA256()
    private var descriptor: Int32
    private var start: [UInt8] = []
    private var limit: Int64
    private let limits: MediaLimits
    private var hasArrived = false
    /// Called at most once, when all bytes are there.
    private let arrived: @Sendable () -> Void
    /// Called once, when the file is removed or taken over, with whether `arrived` was called.
    private let ended: @Sendable (_ hasArrived: Bool) -> Void

    init(
        path: String, limits: MediaLimits, arrived: @escaping @Sendable () -> Void,
        ended: @escaping @Sendable (_ hasArrived: Bool) -> Void
    ) throws(MediaError) {
        self.path = path
        self.limits = limits
        self.arrived = arrived
        self.ended = ended
        limit = limits.largestUpload
        descriptor = try MediaFolder.make(path)
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
        ended(hasArrived)
    }

    func arrive() {
        guard descriptor >= 0, !hasArrived else { return }
        hasArrived = true
        arrived()
    }

    func write(_ bytes: [UInt8]) throws(MediaError) {
        guard descriptor >= 0 else {
            throw MediaError(.notFound, "this upload has ended", remedy: "upload the file again")
        }
        do throws(MediaError) {
            try look(at: bytes)
            guard count + Int64(bytes.count) <= limit else { throw MediaError(tooLarge: limit) }
            try writeAll(bytes)
        } catch {
            abandon()
            throw error
        }
    }

    /// The first bytes show what kind of file it may be. So files that cannot be shown are refused before they are
    /// complete.
    private func look(at bytes: [UInt8]) throws(MediaError) {
        guard start.count < FileKind.bytesNeeded else { return }
        start += bytes.prefix(FileKind.bytesNeeded - start.count)
        guard start.count == FileKind.bytesNeeded else { return }
        limit = limits.bytes(of: try FileKind(start: start))
    }

    private func writeAll(_ bytes: [UInt8]) throws(MediaError) {
        do throws(SystemFailure) {
            try AtomicFile.write(bytes, to: descriptor)
        } catch {
            throw MediaError(error, path: path)
        }
        hash.update(data: bytes)
        count += Int64(bytes.count)
    }

    /// Hands the file over. The caller removes or renames it.
    func take() throws(MediaError) -> ReceivedFile {
        guard descriptor >= 0 else {
            throw MediaError(.notFound, "this upload has ended", remedy: "upload the file again")
        }
        defer {
            descriptor = -1
            ended(hasArrived)
        }
        return ReceivedFile(
            WorkFile(path: path, descriptor: OwnedDescriptor(descriptor)), count: count,
            hash: AssetHash(sha256: hash.finalize()))
    }

    func abandon() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
        descriptor = -1
        ended(hasArrived)
    }
}
