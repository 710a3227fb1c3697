internal import Beacon
import Platform
import SiteFormat

// The quota: what is needed least goes first, and what is needed now never goes.
extension StoreWriter {
    /// Promises room for new assets, if there is enough as it is. The disk is looked at in the same step, so that what
    /// is free is promised once.
    ///
    /// - Throws: `ContentError` with code `.diskFull` where the disk has not enough room.
    func reserve(_ bytes: Int64, for key: JobKey, quota: Int64) throws(ContentError) -> Bool {
        try checkFree(bytes, for: key)
        return promises.promise(bytes, to: key, used: usedBytes(), quota: quota)
    }

    /// Promises room for new assets, and evicts content for it where that is allowed, necessary and enough.
    ///
    /// - Parameters:
    ///   - bytes: what the assets that are missing have together.
    ///   - protected: what must stay; nil where nothing may be evicted at all.
    ///   - lastNeeded: when content was last needed, in seconds since 1970; what never was goes first.
    ///   - keeping: assets that running syncs need.
    /// - Returns: what was evicted.
    /// - Throws: `ContentError` with code `.quota` where there cannot be enough room, or `.diskFull`.
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
        // Others may have been promised what was free before.
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

    /// The assets are there or given up: they are counted from now on, not promised.
    func releaseRoom(of key: JobKey) {
        promises.release(key)
    }

    func prune(keeping: Set<AssetHash>) throws(ContentError) -> PruneReport {
        let report = try store.removeUnneeded(keeping: keeping.union(assetsInUse()), check: checkForEnd)
        recount()
        return report
    }

    /// - Parameter isEnough: whether it fits when so many bytes more are free.
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
        // Nothing goes for what does not fit even without all that may go.
        var trial = plan
        var freed: Int64 = 0
        while !isEnough(freed), let step = trial.next() { freed = freed.addingClamped(bytes(of: step)) }
        guard isEnough(freed) else { return [] }
        var evicted: [ContentScope] = []
        while !isEnough(0), let step = plan.next() {
            // The manifest first: without it, nobody looks for the assets.
            try remove(store.path(of: step.scope))
            evicted.append(step.scope)
            for asset in step.assets { try removeFile(store.path(of: asset)) }
        }
        return evicted
    }

    /// What a step of the plan frees.
    private func bytes(of step: EvictionPlan.Step) -> Int64 {
        let manifest = store.path(of: step.scope)
        let paths = [manifest, store.sidePath(of: manifest)] + step.assets.map { store.path(of: $0) }
        return paths.reduce(0) { $0.addingClamped(FileIdentity(of: $1)?.bytes ?? 0) }
    }
}

// MARK: - The disk

extension StoreWriter {
    /// What is free on the disk, and how much of it is left free for others; nil where it does not tell.
    func space() -> DiskSpace? {
        guard let free = Files.freeBytes(store.directory), let total = Files.totalBytes(store.directory) else {
            return nil
        }
        return DiskSpace(
            free: free, reserve: min(total / ContentLimits.reservedShare, ContentLimits.largestReserve))
    }

    /// What is still to be written for these.
    func bytes(of missing: [ManifestAsset]) -> Int64 {
        missing.reduce(0) { sum, asset in
            let there = FileIdentity(of: store.partialPath(of: asset.sha256))?.bytes ?? 0
            return sum.addingClamped(max(asset.bytes - there, 0))
        }
    }

    /// - Throws: `ContentError` with code `.diskFull` where there is not enough room beside what others were promised.
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

    /// Some of what was promised is there, and counted as such.
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
    /// The folders of assets, to be verified one after another, so that downloads get the disk between them.
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

    /// Which of these manifests are not there as the list has them, or lack assets.
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
