internal import Beacon
internal import Crypto
internal import NIOCore

/// The one writer of a store, on the disk's own thread. See `ContentStore` for the layout and the promises.
actor StoreWriter {
    nonisolated let store: ContentStore
    private let executor = DiskExecutor()
    private let lock: CInt
    private var downloads: [Int: Download] = [:]
    private var counter = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private struct Download {
        var asset: ManifestAsset
        var path: String
        var descriptor: CInt
        var hasher = SHA256()
        var bytes: Int64 = 0
    }

    /// Takes the store's lock and empties `tmp/`.
    init(_ store: ContentStore) throws(ContentError) {
        self.store = store
        lock = try Files.lock("\(store.directory)/lock")
        do throws(ContentError) {
            try Files.makeFolder(store.temporaryFolder)
            for name in Files.names(in: store.temporaryFolder) {
                try Files.remove("\(store.temporaryFolder)/\(name)")
            }
        } catch {
            Files.closeDescriptor(lock)
            throw error
        }
    }

    /// Gives up unfinished downloads and the lock. Nothing may be called after it.
    func close() {
        for id in downloads.keys { discard(id) }
        Files.closeDescriptor(lock)
    }
}

// MARK: - Assets

extension StoreWriter {
    /// Starts a download. `append`, then `finish` or `discard` follow.
    func begin(_ asset: ManifestAsset) throws(ContentError) -> Int {
        if let free = Files.freeBytes(store.directory), free < asset.bytes {
            throw ContentError(
                code: .diskFull, place: store.directory,
                cause: "asset \(asset.sha256) needs \(asset.bytes) bytes, \(free) are free",
                remedy: "free space on its file system; syncing goes on then")
        }
        counter += 1
        let path = "\(store.temporaryFolder)/\(counter)"
        downloads[counter] = Download(asset: asset, path: path, descriptor: try Files.create(path))
        return counter
    }

    /// Writes and hashes the next bytes. What would exceed the promised size is refused before it is written.
    func append(_ id: Int, _ buffer: ByteBuffer) throws(ContentError) {
        guard var download = downloads[id] else { return }
        let bytes = download.bytes + Int64(buffer.readableBytes)
        guard bytes <= download.asset.bytes else {
            throw ContentError(
                code: .tooLarge, place: "asset \(download.asset.sha256)",
                cause: "the server sends more than the \(download.asset.bytes) bytes that the manifest promises",
                remedy: "correct the size in the manifest, or the file on the server")
        }
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
        if let failed { throw failed }
    }

    /// Checks size and hash, and puts the asset into place. On an error the download is gone.
    func finish(_ id: Int) throws(ContentError) {
        guard let download = downloads[id] else { return }
        do throws(ContentError) {
            try check(download)
            try Files.sync(download.descriptor, path: download.path)
            let target = store.path(of: download.asset.sha256)
            try Files.makeFolder(Files.folder(of: target))
            try Files.move(download.path, to: target)
            try Files.syncFolder(Files.folder(of: target))
        } catch {
            discard(id)
            throw error
        }
        Files.closeDescriptor(download.descriptor)
        downloads[id] = nil
    }

    /// Throws an unfinished download away.
    func discard(_ id: Int) {
        guard let download = downloads.removeValue(forKey: id) else { return }
        Files.closeDescriptor(download.descriptor)
        // What cannot be removed now goes at the next start.
        try? Files.remove(download.path)
    }

    private func check(_ download: Download) throws(ContentError) {
        let asset = download.asset
        guard download.bytes == asset.bytes else {
            throw ContentError(
                code: .hash, place: "asset \(asset.sha256)",
                cause: "it has \(download.bytes) bytes on the server, the manifest promises \(asset.bytes)",
                remedy: "publish the file again")
        }
        let hash = AssetHash(download.hasher.finalize())
        guard hash == asset.sha256 else {
            throw ContentError(
                code: .hash, place: "asset \(asset.sha256)", cause: "the file on the server has the SHA-256 \(hash)",
                remedy: "publish the file again; if that does not help, ask who changes it on the way")
        }
    }

    /// Removes an asset whose file is damaged, so that it is fetched again.
    func removeAsset(_ hash: AssetHash) throws(ContentError) {
        try Files.remove(store.path(of: hash))
    }
}

// MARK: - Documents

extension StoreWriter {
    func document(at path: String) -> StoredDocument? {
        store.document(at: path)
    }

    func missing(_ assets: [ManifestAsset]) -> [ManifestAsset] {
        assets.filter { !store.has($0) }
    }

    /// Replaces a document in one step, then its side file.
    func put(_ bytes: [UInt8], at path: String, side: SideFile) throws(ContentError) {
        try replace(path, with: bytes, flushed: true)
        try putSide(side, of: path)
    }

    /// Notes that the server has confirmed a document.
    func putSide(_ side: SideFile, of path: String) throws(ContentError) {
        try replace(store.sidePath(of: path), with: try encodeDocument(side), flushed: false)
    }

    /// Removes a document that the server does not have any more.
    func remove(_ path: String) throws(ContentError) {
        guard Files.identity(path) != nil else { return }
        try Files.remove(path)
        try Files.remove(store.sidePath(of: path))
        try Files.syncFolder(Files.folder(of: path))
    }

    private func replace(_ path: String, with bytes: [UInt8], flushed: Bool) throws(ContentError) {
        counter += 1
        let temporary = "\(store.temporaryFolder)/\(counter)"
        let descriptor = try Files.create(temporary)
        do throws(ContentError) {
            defer { Files.closeDescriptor(descriptor) }
            var failed: ContentError?
            bytes.withUnsafeBytes { pointer in
                do throws(ContentError) {
                    try Files.write(pointer, to: descriptor, path: temporary)
                } catch {
                    failed = error
                }
            }
            if let failed { throw failed }
            if flushed { try Files.sync(descriptor, path: temporary) }
            try Files.makeFolder(Files.folder(of: path))
            try Files.move(temporary, to: path)
            if flushed { try Files.syncFolder(Files.folder(of: path)) }
        } catch {
            try? Files.remove(temporary)
            throw error
        }
    }
}
