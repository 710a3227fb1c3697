internal import Beacon
internal import Crypto
internal import NIOCore
import Platform
import SiteFormat
internal import Synchronization

/// The one writer of a store, on the disk's own thread. See `ContentStore` for the layout and the promises.
actor StoreWriter {
    nonisolated let store: ContentStore
    private let executor = QueueExecutor("beacond.content.disk")
    private let lock: CInt
    var downloads: [Int: Download] = [:]
    private let flusher = Flusher()
    private var pending: [Pending] = []
    private var commits: Task<Void, Never>?
    /// Verified assets on their way into place.
    private var placing: [Int: AssetHash] = [:]
    private var counter = 0
    private let isEnding = Atomic(false)
    /// What all files have together, once somebody has asked.
    private var countedBytes: Int64?
    /// Room that was promised to syncs that are under way.
    var promises = QuotaPromises()
    /// The assets of manifests that are on their way into place.
    private var publishing: [Int: [ManifestAsset]] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An asset on its way.
    struct Download {
        var asset: ManifestAsset
        var path: String
        var descriptor: CInt
        var hasher = SHA256()
        var bytes: Int64 = 0
        /// Bytes of an earlier attempt behind these, which are not hashed yet.
        var unread: Int64 = 0
        /// It began with bytes of an earlier attempt.
        var isResumed = false
    }

    private struct Pending {
        var file: Flusher.File
        var done: CheckedContinuation<ContentError?, Never>
    }

    /// Takes the store's lock and empties `tmp/`. Unfinished assets stay, to be continued.
    ///
    /// - Parameter keys: what a site list must be signed with from now on, also for readers of the store.
    init(_ store: ContentStore, keys: [SiteKey]) throws(ContentError) {
        self.store = store
        lock = try Files.lock("\(store.directory)/lock")
        do throws(ContentError) {
            try Files.makeFolder(store.temporaryFolder)
            try Files.makeFolder(store.partialFolder)
            for name in FolderListing.names(in: store.temporaryFolder) {
                try Files.remove("\(store.temporaryFolder)/\(name)")
            }
            // A tag is of use only beside what it is about.
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

    /// Gives up the lock, once what is written is in place. Nothing may be called after it.
    func close() async {
        for id in downloads.keys { pause(id) }
        while let commits { await commits.value }
        FileLock.release(lock)
    }

    func nextNumber() -> Int {
        counter += 1
        return counter
    }

    /// The bytes of everything that was written: files, unfinished ones, manifests, the list, what was learned.
    func usedBytes() -> Int64 {
        if let countedBytes { return countedBytes }
        let bytes = Files.treeBytes(store.directory)
        countedBytes = bytes
        return bytes
    }

    /// Ends walks over the whole store, on any thread: they take many seconds where a site has tens of thousands of
    /// manifests. Whatever is put into the store afterwards is put there.
    nonisolated func endWalks() {
        isEnding.store(true, ordering: .relaxed)
    }

    func checkForEnd() throws(ContentError) {
        if isEnding.load(ordering: .relaxed) { throw .cancelled("store") }
    }

    /// Counts again when it is next asked for.
    func recount() {
        countedBytes = nil
    }

    func count(_ bytes: Int64) {
        if let counted = countedBytes { countedBytes = max(counted.addingClamped(bytes), 0) }
    }

    /// Removes a file, and counts what that frees.
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

    /// Notes that the server has confirmed a document.
    func putSide(_ side: SideFile, of path: String) throws(ContentError) {
        try replaceUnflushed(store.sidePath(of: path), with: try encodeDocument(side))
    }

    /// Puts a manifest into place, if all of its assets are.
    ///
    /// - Parameter isStored: it is what is there already; only the side file is new.
    /// - Returns: the assets that are missing, and keep the manifest out.
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

    /// What must not be removed now, since it is about to be referenced.
    func assetsInUse() -> Set<AssetHash> {
        var hashes = Set(downloads.values.map(\.asset.sha256))
        hashes.formUnion(placing.values)
        for assets in publishing.values { hashes.formUnion(assets.map(\.sha256)) }
        return hashes
    }

    /// Removes a document that the server does not have any more.
    func remove(_ path: String) throws(ContentError) {
        guard FileIdentity(of: path) != nil else { return }
        try removeFile(path)
        try removeFile(store.sidePath(of: path))
        try Files.syncFolder(AtomicFile.folder(of: path))
    }

    /// Replaces a file in one step, and returns when it is on the disk.
    func replace(_ path: String, with bytes: [UInt8]) async throws(ContentError) {
        let (temporary, descriptor) = try write(bytes)
        let before = FileIdentity(of: path)?.bytes ?? 0
        try await place(temporary, at: path, descriptor: descriptor)
        count(Int64(bytes.count) - before)
    }

    /// Replaces a file in one step. A power cut may leave the old one, or none.
    func replaceUnflushed(_ path: String, with bytes: [UInt8]) throws(ContentError) {
        let (temporary, descriptor) = try write(bytes)
        Files.closeDescriptor(descriptor)
        do throws(ContentError) {
            try Files.makeFolder(AtomicFile.folder(of: path))
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

    /// Flushes a written file and renames it into place. While some are flushed, others gather to be the next
    /// batch, so that the more there is to do, the fewer flushes each file takes.
    private func place(_ path: String, at target: String, descriptor: CInt) async throws(ContentError) {
        if let failure = await flush(Flusher.File(from: path, target: target, descriptor: descriptor)) {
            recount()
            throw failure
        }
    }

    // Apart from its caller: Swift 6.2 crashes where a continuation is made in a function that throws one type of
    // error.
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
