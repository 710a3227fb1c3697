internal import Beacon
import Platform
import SiteFormat

// The quota: content that is needed least is evicted first, and content that is needed now never.
extension StoreWriter {
    /// Promises room for new assets if there is enough without evicting anything. The free space is checked in the same
    /// step, so that it is promised only once.
    ///
    /// - Throws: `ContentError` with code `.diskFull` if the disk has not enough space.
    func reserve(_ bytes: Int64, for key: JobKey, quota: Int64) throws(ContentError) -> Bool {
        try checkFree(bytes, for: key)
        return promises.promise(bytes, to: key, used: usedBytes(), quota: quota)
    }

    /// Promises room for new assets. If necessary, allowed and sufficient, content is evicted for it.
    ///
    /// - Parameters:
    ///   - bytes: the total size of the missing assets.
    ///   - protected: manifests that must stay; nil if nothing may be evicted.
    ///   - lastNeeded: when content was last needed, in seconds since 1970. Content without an entry is evicted first.
    ///   - keeping: assets that running syncs need.
    /// - Returns: the evicted manifests.
    /// - Throws: `ContentError` with code `.quota` if there cannot be enough room, or `.diskFull`.
    func makeRoom(
        for key: JobKey, bytes: Int64, quota: Int64, protected: Set<ContentScope>?,
        lastNeeded: [ContentScope: Int64], keeping: Set<AssetHash>
    ) throws(ContentError) -> [ContentScope] {
        func isEnough(_ freed: Int64 = 0) -> Bool {
            promises.fits(bytes, for: key, used: max(usedBytes() - freed, 0), quota: quota)
        }
        var evicted: [ContentScope] = []
        if !isEnough(), protected != nil {
            let report = try prune(keeping: keeping)
            if report.bytes == 0 || !isEnough(), let protected {
                evicted = try evict(protected: protected, lastNeeded: lastNeeded, keeping: keeping, until: isEnough)
            }
        }
        // The free space may have been promised to others meanwhile.
        try checkFree(bytes, for: key)
        guard promises.promise(bytes, to: key, used: usedBytes(), quota: quota) else {
            let promised = promises.promisedToOthers(than: key)
            throw ContentError(
                code: .quota, place: store.directory,
                cause: "\(bytes) more bytes do not fit beside \(usedBytes())"
                    + (promised > 0 ? " and \(promised) that are on their way" : "") + ", the quota is \(quota)",
                remedy: "raise content.quota_bytes, or publish smaller files")
        }
        return evicted
    }

    /// Ends the promise for assets that are stored or given up. Stored assets are counted as used.
    func releaseRoom(of key: JobKey) {
        promises.release(key)
    }

    func prune(keeping: Set<AssetHash>) throws(ContentError) -> PruneReport {
        let report = try store.removeUnneeded(keeping: keeping.union(assetsInUse()), check: checkForEnd)
        recount()
        return report
    }

    /// - Parameter isEnough: whether the assets fit if this many more bytes are free.
    private func evict(
        protected: Set<ContentScope>, lastNeeded: [ContentScope: Int64], keeping: Set<AssetHash>,
        until isEnough: (Int64) -> Bool
    ) throws(ContentError) -> [ContentScope] {
        var stored: [(scope: ContentScope, assets: [AssetHash])] = []
        for scope in store.storedScopes() {
            try checkForEnd()
            stored.append((scope, try store.assets(at: store.path(of: scope))))
        }
        var plan = EvictionPlan(
            stored, protected: protected, lastNeeded: lastNeeded, kept: keeping.union(assetsInUse()))
        // Nothing is evicted if the assets would not fit even then.
        var trial = plan
        var freed: Int64 = 0
        while !isEnough(freed), let step = trial.next() { freed = freed.addingClamped(bytes(of: step)) }
        guard isEnough(freed) else { return [] }
        var evicted: [ContentScope] = []
        while !isEnough(0), let step = plan.next() {
            // The manifest is removed first: without it, the assets are not expected.
            try remove(store.path(of: step.scope))
            evicted.append(step.scope)
            for asset in step.assets { try removeFile(store.path(of: asset)) }
        }
        return evicted
    }

    /// The bytes that a step of the plan frees.
    private func bytes(of step: EvictionPlan.Step) -> Int64 {
        let manifest = store.path(of: step.scope)
        let paths = [manifest, store.sidePath(of: manifest)] + step.assets.map { store.path(of: $0) }
        return paths.reduce(0) { $0.addingClamped(FileIdentity(of: $1)?.bytes ?? 0) }
    }
}

// MARK: - The disk

extension StoreWriter {
    /// The free bytes on the disk, and how many of them are left for others; nil if the file system does not report
    /// them.
    func space() -> DiskSpace? {
        guard let free = Files.freeBytes(store.directory), let total = Files.totalBytes(store.directory) else {
            return nil
        }
        return DiskSpace(
            free: free, reserve: min(total / ContentLimits.reservedShare, ContentLimits.largestReserve))
    }

    /// The bytes that are still to be written for these assets.
    func bytes(of missing: [ManifestAsset]) -> Int64 {
        missing.reduce(0) { sum, asset in
            let there = FileIdentity(of: store.partialPath(of: asset.sha256))?.bytes ?? 0
            return sum.addingClamped(max(asset.bytes - there, 0))
        }
    }

    /// - Throws: `ContentError` with code `.diskFull` if there is not enough space besides what is promised to others.
    private func checkFree(_ bytes: Int64, for key: JobKey) throws(ContentError) {
        guard let space = space() else { return }
        let (free, reserve) = (space.free, space.reserve)
        let promised = promises.promisedToOthers(than: key)
        guard free < bytes.addingClamped(promised).addingClamped(reserve) else { return }
        throw ContentError(
            code: .diskFull, place: store.directory,
            cause: "\(bytes) more bytes do not fit, \(max(free - reserve - promised, 0)) are free for content",
            remedy: "free space on its file system; syncing then continues")
    }

    /// Some of what was promised is stored now, and is counted as used.
    func arrived(_ bytes: Int64, for keys: [JobKey]) {
        promises.arrived(bytes, for: keys)
    }

    /// Removes unfinished files that no manifest names.
    func removeUnneededPartials(keeping: Set<AssetHash>) throws(ContentError) {
        let names = FolderListing.names(in: store.partialFolder)
        guard !names.isEmpty else { return }
        var needed = keeping.union(assetsInUse())
        for scope in store.storedScopes() {
            try checkForEnd()
            needed.formUnion(try store.assets(at: store.path(of: scope)))
        }
        for scope in store.storedScopes(pending: true) {
            try checkForEnd()
            needed.formUnion(try store.assets(at: store.pendingPath(of: scope)))
        }
        for name in names {
            guard let hash = AssetHash(String(name.prefix(64))), !needed.contains(hash) else { continue }
            try removeFile("\(store.partialFolder)/\(name)")
        }
    }
}

// MARK: - Verifying while syncing

extension StoreWriter {
    /// The folders of assets. They are verified one after another, so that downloads can use the disk in between.
    func assetFolders() -> [String] {
        FolderListing.names(in: "\(store.directory)/assets").sorted()
    }

    func verify(folder: String, into report: VerifyReport) throws(ContentError) -> VerifyReport {
        var report = report
        for name in FolderListing.names(in: "\(store.directory)/assets/\(folder)") {
            guard let hash = AssetHash(name), hash.description == name, name.hasPrefix(folder) else { continue }
            try store.examine(hash, store.path(of: hash), repair: true, into: &report)
        }
        recount()
        return report
    }

    func verifyDocuments(into report: VerifyReport) throws(ContentError) -> VerifyReport {
        var report = report
        try store.examineDocuments(repair: true, into: &report)
        return report
    }

    /// The manifests that are not stored as the list has them, or lack assets.
    func incomplete(_ scopes: ArraySlice<ContentScope>, _ list: SiteList) -> [ContentScope] {
        scopes.filter { scope in
            guard let document = (try? Files.read(store.path(of: scope), limit: ContentStore.readLimit)) ?? nil,
                AssetHash(of: document) == list.entries[scope]?.sha256,
                let manifest = try? Manifest(json: document)
            else { return true }
            return !manifest.assets.allSatisfy(store.has)
        }
    }
}
