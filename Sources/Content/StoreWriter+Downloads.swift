internal import Crypto
internal import NIOCore
import Platform
import SiteFormat

// Assets on their way to the disk. What has come stays in `partial/` until the whole is there and verified, over
// broken connections, kills and power cuts; only its hash decides in the end whether it was any good.
extension StoreWriter {
    /// Where a download goes on.
    struct Start: Sendable {
        var id: Int
        /// Bytes that are there from an earlier attempt, and are hashed already.
        var offset: Int64
        /// The strong ETag that they came with, if that is known.
        var etag: String?
    }

    /// Starts or continues a download. `append`, then `finish`, `pause` or `discard` follow.
    nonisolated func begin(_ asset: ManifestAsset) async throws(ContentError) -> Start {
        let id = try await open(asset)
        do throws(ContentError) {
            // In pieces, so that others get the disk between them.
            while try await resume(id) {
                if Task.isCancelled { throw .cancelled("asset \(asset.sha256)") }
            }
            return try await start(id)
        } catch {
            await pause(id)
            throw error
        }
    }

    private func open(_ asset: ManifestAsset) throws(ContentError) -> Int {
        let path = store.partialPath(of: asset.sha256)
        var there = FileIdentity(of: path)?.bytes ?? 0
        if there > asset.bytes {
            try removePartial(asset.sha256)
            there = 0
        }
        if let free = Files.freeBytes(store.directory), free < asset.bytes - there {
            throw ContentError(
                code: .diskFull, place: store.directory,
                cause: "asset \(asset.sha256) needs \(asset.bytes - there) bytes, \(free) are free",
                remedy: "free space on its file system; syncing then continues")
        }
        let id = nextNumber()
        downloads[id] = Download(asset: asset, path: path, descriptor: try Files.append(path), unread: there)
        return id
    }

    /// Hashes the next bytes of an earlier attempt, or begins with none where they cannot be read.
    ///
    /// - Returns: whether there are more.
    private func resume(_ id: Int) throws(ContentError) -> Bool {
        guard var download = downloads[id], download.unread > 0 else { return false }
        downloads[id] = nil  // so that the hasher is changed in place, not copied
        defer { downloads[id] = download }
        let most = Int(min(download.unread, Self.mostAtOnce))
        guard let bytes = Files.read(download.descriptor, at: download.bytes, most: most) else {
            let there = download.bytes + download.unread
            download.hasher = SHA256()
            download.bytes = 0
            download.isResumed = false
            try Files.truncate(download.descriptor, path: download.path)
            download.unread = 0
            count(-there)
            return false
        }
        bytes.withUnsafeBytes { download.hasher.update(bufferPointer: $0) }
        download.bytes += Int64(bytes.count)
        download.unread -= Int64(bytes.count)
        download.isResumed = true
        return download.unread > 0
    }

    /// Bytes of an earlier attempt that are hashed in one go: a millisecond, or a few on a slow machine.
    private static let mostAtOnce: Int64 = 262_144

    private func start(_ id: Int) throws(ContentError) -> Start {
        // The store was closed meanwhile.
        guard let download = downloads[id] else { throw .cancelled("store") }
        let etag = try? Files.read(store.partialTagPath(of: download.asset.sha256), limit: 2048)
        return Start(
            id: id, offset: download.bytes,
            etag: download.bytes > 0 ? etag.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } : nil)
    }

    /// The server sends all from the beginning, or what was there turned out to be wrong.
    func restart(_ id: Int) throws(ContentError) {
        guard var download = downloads[id] else { return }
        try Files.truncate(download.descriptor, path: download.path)
        count(-download.bytes)
        download.hasher = SHA256()
        download.bytes = 0
        download.isResumed = false
        downloads[id] = download
    }

    /// Keeps the ETag with which the bytes come. Small files are not worth a file of their own beside them.
    func note(_ id: Int, etag: String?) {
        guard let download = downloads[id], download.asset.bytes > 65536 else { return }
        let path = store.partialTagPath(of: download.asset.sha256)
        if let etag {
            try? replaceUnflushed(path, with: Array(etag.utf8))
        } else {
            try? removeFile(path)
        }
    }

    /// Writes and hashes the next bytes. What would exceed the promised size is refused before it is written.
    func append(_ id: Int, _ buffer: ByteBuffer) throws(ContentError) {
        guard var download = downloads[id] else { return }
        let bytes = download.bytes + Int64(buffer.readableBytes)
        guard bytes <= download.asset.bytes else { throw .longerThanPromised(download.asset) }
        download.bytes = bytes
        downloads[id] = nil  // so that the hasher is changed in place, not copied
        var failed: ContentError?
        buffer.withUnsafeReadableBytes { pointer in
            download.hasher.update(bufferPointer: pointer)
            do throws(ContentError) {
                try Files.write(pointer, to: download.descriptor, path: download.path)
            } catch {
                failed = error
            }
        }
        downloads[id] = download
        count(Int64(buffer.readableBytes))
        if let failed {
            recount()
            throw failed
        }
    }

    /// Checks size and hash, and puts the asset into place. Bytes that are wrong are thrown away.
    ///
    /// - Parameter verified: called when the bytes are there and right, before they are flushed.
    /// - Returns: false where the bytes were wrong, but partly those of an earlier attempt: it is worth another,
    ///   from the beginning.
    func finish(_ id: Int, verified: @Sendable () async -> Void) async throws(ContentError) -> Bool {
        guard let download = downloads.removeValue(forKey: id) else { return true }
        let asset = download.asset
        do throws(ContentError) {
            try Self.check(asset, bytes: download.bytes, AssetHash(sha256: download.hasher.finalize()))
        } catch {
            Files.closeDescriptor(download.descriptor)
            try? removePartial(asset.sha256)
            if download.isResumed { return false }
            throw error
        }
        await verified()
        try await place(asset, from: download.path, descriptor: download.descriptor)
        if asset.bytes > 65536 { try? removeFile(store.partialTagPath(of: asset.sha256)) }
        return true
    }

    /// Stops a download and keeps what has come.
    func pause(_ id: Int) {
        guard let download = downloads.removeValue(forKey: id) else { return }
        Files.closeDescriptor(download.descriptor)
        if download.bytes + download.unread == 0 { try? removePartial(download.asset.sha256) }
    }

    /// Stops a download and throws away what has come.
    func discard(_ id: Int) {
        guard let download = downloads.removeValue(forKey: id) else { return }
        Files.closeDescriptor(download.descriptor)
        try? removePartial(download.asset.sha256)
    }

    func removePartial(_ hash: AssetHash) throws(ContentError) {
        try removeFile(store.partialPath(of: hash))
        try removeFile(store.partialTagPath(of: hash))
    }

    /// Whether an earlier attempt has left something to be continued.
    nonisolated func hasPartial(_ asset: ManifestAsset) -> Bool {
        FileIdentity(of: store.partialPath(of: asset.sha256)) != nil
    }

    /// Checks an asset that has come as a whole, and puts it into place.
    nonisolated func add(
        _ asset: ManifestAsset, _ buffer: ByteBuffer, verified: @Sendable () async -> Void
    ) async throws(ContentError) {
        var hasher = SHA256()
        buffer.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        try Self.check(asset, bytes: Int64(buffer.readableBytes), AssetHash(sha256: hasher.finalize()))
        await verified()
        try await write(asset, buffer)
    }

    /// Under the name of an unfinished one: what is whole but not flushed yet outlives a kill.
    private func write(_ asset: ManifestAsset, _ buffer: ByteBuffer) async throws(ContentError) {
        let path = store.partialPath(of: asset.sha256)
        try Files.remove(path)
        let descriptor = try Files.create(path)
        var failed: ContentError?
        buffer.withUnsafeReadableBytes { pointer in
            do throws(ContentError) {
                try Files.write(pointer, to: descriptor, path: path)
            } catch {
                failed = error
            }
        }
        if let failed {
            Files.closeDescriptor(descriptor)
            try? Files.remove(path)
            throw failed
        }
        count(asset.bytes)
        try await place(asset, from: path, descriptor: descriptor)
    }

    private static func check(_ asset: ManifestAsset, bytes: Int64, _ hash: AssetHash) throws(ContentError) {
        guard bytes == asset.bytes else {
            throw ContentError(
                code: .hash, place: "asset \(asset.sha256)",
                cause: "it has \(bytes) bytes on the server, the manifest promises \(asset.bytes)",
                remedy: "publish the file again")
        }
        guard hash == asset.sha256 else {
            throw ContentError(
                code: .hash, place: "asset \(asset.sha256)", cause: "the file on the server has the SHA-256 \(hash)",
                remedy: "publish the file again; if that does not help, ask who changes it on the way")
        }
    }
}

extension ContentError {
    static func longerThanPromised(_ asset: ManifestAsset) -> ContentError {
        ContentError(
            code: .tooLarge, place: "asset \(asset.sha256)",
            cause: "the server sends more than the \(asset.bytes) bytes that the manifest promises",
            remedy: "correct the size in the manifest, or the file on the server")
    }
}
