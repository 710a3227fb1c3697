internal import Beacon
internal import Crypto
internal import NIOCore
import Platform
import SiteFormat
internal import Synchronization

/// The only writer of a store, on a thread for the disk. See `ContentStore` for the layout and the guarantees.
actor StoreWriter {
    nonisolated let store: ContentStore
    private let executor = QueueExecutor("beacond.content.disk")
    private let lock: CInt
    var downloads: [Int: Download] = [:]
    private let flusher = Flusher()
    private var pending: [Pending] = []
    private var commits: Task<Void, Never>?
    /// Verified assets that are being put into place.
    private var placing: [Int: AssetHash] = [:]
    private var counter = 0
    private let isEnding = Atomic(false)
    /// The total size of all files in bytes; nil until it is needed.
    private var countedBytes: Int64?
    /// Room that is promised to running syncs.
    var promises = QuotaPromises()
    /// The assets of manifests that are being put into place.
    private var publishing: [Int: [ManifestAsset]] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An asset that is being fetched.
    struct Download {
        var asset: ManifestAsset
        var path: String
        var descriptor: CInt
        var hasher = SHA256()
        var bytes: Int64 = 0
        /// Bytes of an earlier attempt that follow these and are not hashed yet.
        var unread: Int64 = 0
        /// The download started with bytes of an earlier attempt.
        var isResumed = false
    }

    private struct Pending {
        var file: Flusher.File
        var done: CheckedContinuation<ContentError?, Never>
    }

    /// Takes the store's lock and empties `tmp/`. Unfinished assets are kept, so that they can be continued.
    ///
    /// - Parameter keys: the keys that must have signed a site list from now on, also for readers of the store.
    init(_ store: ContentStore, keys: [SiteKey]) throws(ContentError) {
        self.store = store
        lock = try Files.lock("\(store.directory)/lock")
        do throws(ContentError) {
            try Files.makeFolder(store.temporaryFolder)
            try Files.makeFolder(store.partialFolder)
            for name in FolderListing.names(in: store.temporaryFolder) {
                try Files.remove("\(store.temporaryFolder)/\(name)")
            }
            // An ETag is useful only beside its file.
            let partials = Set(FolderListing.names(in: store.partialFolder))
            for name in partials where name.hasSuffix(".etag") && !partials.contains(String(name.dropLast(5))) {
                try Files.remove("\(store.partialFolder)/\(name)")
            }
            try Self.keep(keys, in: store)
        } catch {
            FileLock.release(lock)
            throw error
        }
    }

    private static func keep(_ keys: [SiteKey], in store: ContentStore) throws(ContentError) {
        if keys.isEmpty { return try Files.remove(store.keysPath) }
        let bytes = try encodeDocument(keys)
        if (try? Files.read(store.keysPath, limit: 1 << 20)) == .some(bytes) { return }
        let temporary = "\(store.temporaryFolder)/keys"
        let descriptor = try Files.create(temporary)
        defer { Files.closeDescriptor(descriptor) }
        try Files.write(bytes, to: descriptor, path: temporary)
        try Files.sync(descriptor, path: temporary)
        try Files.move(temporary, to: store.keysPath)
        try Files.syncFolder(store.directory)
    }

    /// Releases the lock once everything that was written is in place. Nothing may be called afterwards.
    func close() async {
        for id in downloads.keys { pause(id) }
        while let commits { await commits.value }
        FileLock.release(lock)
    }

    func nextNumber() -> Int {
        counter += 1
        return counter
    }

    /// The size in bytes of everything in the store: assets, also unfinished ones, manifests, the list, what was
    /// learned.
    func usedBytes() -> Int64 {
        if let countedBytes { return countedBytes }
        let bytes = Files.treeBytes(store.directory)
        countedBytes = bytes
        return bytes
    }

    /// Stops walks over the whole store; may be called on any thread. They take many seconds if a site has tens of
    /// thousands of manifests. Files that are put into the store afterwards are not affected.
    nonisolated func endWalks() {
        isEnding.store(true, ordering: .relaxed)
    }

    func checkForEnd() throws(ContentError) {
        if isEnding.load(ordering: .relaxed) { throw .cancelled("store") }
    }

    /// Makes the next call of `usedBytes` count again.
    func recount() {
        countedBytes = nil
    }

    func count(_ bytes: Int64) {
        if let counted = countedBytes { countedBytes = max(counted.addingClamped(bytes), 0) }
    }

    /// Removes a file and subtracts its size from the count.
    func removeFile(_ path: String) throws(ContentError) {
        guard let bytes = FileIdentity(of: path)?.bytes else { return try Files.remove(path) }
        try Files.remove(path)
        count(-bytes)
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
    func put(_ bytes: [UInt8], at path: String, side: SideFile?) async throws(ContentError) {
        try await replace(path, with: bytes)
        if let side { try putSide(side, of: path) }
    }

    /// Records that the server has confirmed a document.
    func putSide(_ side: SideFile, of path: String) throws(ContentError) {
        try replaceUnflushed(store.sidePath(of: path), with: try encodeDocument(side))
    }

    /// Puts a manifest into place if all of its assets are stored.
    ///
    /// - Parameter isStored: this manifest is already in place, and only the side file is new.
    /// - Returns: the missing assets. The manifest is put into place only if there are none.
    func publish(
        _ manifest: Manifest, _ bytes: [UInt8], of scope: ContentScope, side: SideFile?, isStored: Bool
    ) async throws(ContentError) -> [ManifestAsset] {
        let assets = manifest.assets
        let missing = missing(assets)
        guard missing.isEmpty else { return missing }
        let path = store.path(of: scope)
        if !isStored {
            let number = nextNumber()
            publishing[number] = assets
            defer { publishing[number] = nil }
            try await replace(path, with: bytes)
        }
        if let side { try putSide(side, of: path) }
        try? removeFile(store.pendingPath(of: scope))
        return []
    }

    /// Assets that must not be removed now, because a manifest is about to refer to them.
    func assetsInUse() -> Set<AssetHash> {
        var hashes = Set(downloads.values.map(\.asset.sha256))
        hashes.formUnion(placing.values)
        for assets in publishing.values { hashes.formUnion(assets.map(\.sha256)) }
        return hashes
    }

    /// Removes a document that the server no longer has.
    func remove(_ path: String) throws(ContentError) {
        // A side file alone would tell of a document that is missing.
        let files = [path, store.sidePath(of: path)].filter { FileIdentity(of: $0) != nil }
        guard !files.isEmpty else { return }
        for file in files { try removeFile(file) }
        try Files.syncFolder(PathText.folder(of: path))
    }

    /// Replaces a file in one step, and returns when it is on the disk.
    func replace(_ path: String, with bytes: [UInt8]) async throws(ContentError) {
        let (temporary, descriptor) = try write(bytes)
        let before = FileIdentity(of: path)?.bytes ?? 0
        try await place(temporary, at: path, descriptor: descriptor)
        count(Int64(bytes.count) - before)
    }

    /// Replaces a file in one step. After a power cut, the old file may still be there, or none.
    func replaceUnflushed(_ path: String, with bytes: [UInt8]) throws(ContentError) {
        let (temporary, descriptor) = try write(bytes)
        Files.closeDescriptor(descriptor)
        do throws(ContentError) {
            try Files.makeFolder(PathText.folder(of: path))
            let before = FileIdentity(of: path)?.bytes ?? 0
            try Files.move(temporary, to: path)
            count(Int64(bytes.count) - before)
        } catch {
            try? Files.remove(temporary)
            throw error
        }
    }

    private func write(_ bytes: [UInt8]) throws(ContentError) -> (path: String, descriptor: CInt) {
        try write { (descriptor, path) throws(ContentError) in
            try Files.write(bytes, to: descriptor, path: path)
        }
    }

    /// Writes a new file in `tmp/`.
    func write(
        _ fill: (CInt, String) throws(ContentError) -> Void
    ) throws(ContentError) -> (path: String, descriptor: CInt) {
        let temporary = "\(store.temporaryFolder)/\(nextNumber())"
        let descriptor = try Files.create(temporary)
        do throws(ContentError) {
            try fill(descriptor, temporary)
            return (temporary, descriptor)
        } catch {
            Files.closeDescriptor(descriptor)
            try? Files.remove(temporary)
            throw error
        }
    }
}

// MARK: - Into place

extension StoreWriter {
    /// Flushes a verified asset and puts it into place.
    func place(_ asset: ManifestAsset, from path: String, descriptor: CInt) async throws(ContentError) {
        let number = nextNumber()
        placing[number] = asset.sha256
        defer { placing[number] = nil }
        try await place(path, at: store.path(of: asset.sha256), descriptor: descriptor)
    }

    /// Flushes a written file and renames it into place. While files are flushed, others gather and form the next
    /// batch. So under a high load, fewer flushes are needed for each file.
    private func place(_ path: String, at target: String, descriptor: CInt) async throws(ContentError) {
        if let failure = await flush(Flusher.File(from: path, target: target, descriptor: descriptor)) {
            recount()
            throw failure
        }
    }

    // A function of its own, because Swift 6.2 crashes if a continuation is created in a function with typed throws.
    private func flush(_ file: Flusher.File) async -> ContentError? {
        await withCheckedContinuation { continuation in
            pending.append(Pending(file: file, done: continuation))
            if commits == nil { commits = Task { await self.commit() } }
        }
    }

    private func commit() async {
        while !pending.isEmpty {
            let batch = pending
            pending = []
            let failure = await flusher.place(batch.map(\.file), in: store.directory)
            for waiting in batch { waiting.done.resume(returning: failure) }
        }
        commits = nil
    }
}
