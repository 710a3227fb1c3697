internal import Crypto
internal import NIOCore
import Platform
import SiteFormat

// Downloads of assets to the disk. Received bytes stay in `partial/` until the asset is complete and verified; they
// outlast broken connections, kills and power cuts. Only the hash of the whole decides whether they are right.
extension StoreWriter {
    /// Where a download continues.
    struct Start: Sendable {
        var id: Int
        /// Bytes of an earlier attempt that are stored and already hashed.
        var offset: Int64
        /// The strong ETag of these bytes, if it is known.
        var etag: String?
    }

    /// Starts or continues a download. The caller then calls `append`, and finally `finish`, `pause` or `discard`.
    nonisolated func begin(_ asset: ManifestAsset) async throws(ContentError) -> Start {
        let id = try await open(asset)
        do throws(ContentError) {
            // In pieces, so that others can use the disk in between.
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

    /// Hashes the next bytes of an earlier attempt. Starts at 0 if they cannot be read.
    ///
    /// - Returns: whether more of them are left.
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

    /// The most bytes of an earlier attempt that are hashed at once: one millisecond, or a few on a slow machine.
    private static let mostAtOnce: Int64 = 262_144

    private func start(_ id: Int) throws(ContentError) -> Start {
        // The store was closed meanwhile.
        guard let download = downloads[id] else { throw .cancelled("store") }
        let etag = try? Files.read(store.partialTagPath(of: download.asset.sha256), limit: 2048)
        return Start(
            id: id, offset: download.bytes,
            etag: download.bytes > 0 ? etag.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } : nil)
    }

    /// Starts again at 0: the server sends everything from the beginning, or the stored bytes were wrong.
    func restart(_ id: Int) throws(ContentError) {
        guard var download = downloads[id] else { return }
        try Files.truncate(download.descriptor, path: download.path)
        count(-download.bytes)
        download.hasher = SHA256()
        download.bytes = 0
        download.isResumed = false
        downloads[id] = download
    }

    /// Stores the ETag of the bytes that follow. For small files, a file with the ETag is not worth it.
    func note(_ id: Int, etag: String?) {
        guard let download = downloads[id], download.asset.bytes > 65536 else { return }
        let path = store.partialTagPath(of: download.asset.sha256)
        if let etag {
            try? replaceUnflushed(path, with: Array(etag.utf8))
        } else {
            try? removeFile(path)
        }
    }

    /// Writes and hashes the next bytes. Bytes beyond the promised size are refused before they are written.
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

    /// Checks size and hash, and puts the asset into place. Wrong bytes are deleted.
    ///
    /// - Parameter verified: called when the bytes are complete and right, before they are flushed.
    /// - Returns: false if the bytes were wrong but partly came from an earlier attempt: then another attempt from the
    ///   beginning is worth it.
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

    /// Stops a download and keeps the received bytes.
    func pause(_ id: Int) {
        guard let download = downloads.removeValue(forKey: id) else { return }
        Files.closeDescriptor(download.descriptor)
        if download.bytes + download.unread == 0 { try? removePartial(download.asset.sha256) }
    }

    /// Stops a download and deletes the received bytes.
    func discard(_ id: Int) {
        guard let download = downloads.removeValue(forKey: id) else { return }
        Files.closeDescriptor(download.descriptor)
        try? removePartial(download.asset.sha256)
    }

    func removePartial(_ hash: AssetHash) throws(ContentError) {
        try removeFile(store.partialPath(of: hash))
        try removeFile(store.partialTagPath(of: hash))
    }

    /// Whether an earlier attempt has left bytes to continue with.
    nonisolated func hasPartial(_ asset: ManifestAsset) -> Bool {
        FileIdentity(of: store.partialPath(of: asset.sha256)) != nil
    }

    /// Checks an asset that was received as a whole, and puts it into place.
    nonisolated func add(
        _ asset: ManifestAsset, _ buffer: ByteBuffer, verified: @Sendable () async -> Void
    ) async throws(ContentError) {
        var hasher = SHA256()
        buffer.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        try Self.check(asset, bytes: Int64(buffer.readableBytes), AssetHash(sha256: hasher.finalize()))
        await verified()
        try await write(asset, buffer)
    }

    /// It is written under the name of an unfinished asset, so that complete but unflushed bytes survive a kill.
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
