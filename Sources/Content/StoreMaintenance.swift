internal import Beacon
import Platform
package import SiteFormat

extension ContentStore {
    /// Hashes every stored asset again, reads every document, and looks which ones are missing. It blocks while it
    /// reads all of them.
    ///
    /// - Parameters:
    ///   - repair: removes damaged assets and manifests, so that the next sync fetches them again.
    ///   - progress: called with the number of bytes read so far.
    /// - Throws: `ContentError`: `.locked` if `repair` is set and another process syncs (let that one verify),
    ///   `.storage` if something cannot be removed.
    package func verify(
        repair: Bool = false, progress: (Int64) -> Void = { _ in }
    ) throws(ContentError) -> VerifyReport {
        guard repair else { return try examine(repair: false, progress: progress) }
        let lock = try Files.lock("\(directory)/lock")
        defer { FileLock.release(lock) }
        return try examine(repair: true, progress: progress)
    }

    /// Removes what no manifest needs: assets, unfinished downloads, and manifests that the site list does not have.
    ///
    /// - Parameter keeping: assets that stay in any case.
    /// - Throws: `ContentError`: `.locked` if another process syncs (let that one prune).
    package func prune(keeping: Set<AssetHash> = []) throws(ContentError) -> PruneReport {
        let lock = try Files.lock("\(directory)/lock")
        defer { FileLock.release(lock) }
        return try removeUnneeded(keeping: keeping)
    }

    private func examine(repair: Bool, progress: (Int64) -> Void) throws(ContentError) -> VerifyReport {
        var report = VerifyReport()
        var failure: ContentError?
        forEachAsset { hash, path in
            do throws(ContentError) {
                try examine(hash, path, repair: repair, into: &report)
            } catch {
                failure = failure ?? error
            }
            progress(report.bytes)
        }
        if let failure { throw failure }
        try examineDocuments(repair: repair, into: &report)
        return report
    }

    func examine(
        _ hash: AssetHash, _ path: String, repair: Bool, into report: inout VerifyReport
    ) throws(ContentError) {
        report.assets += 1
        report.bytes += FileIdentity(of: path)?.bytes ?? 0
        if matches(hash) { return }
        report.damagedAssets.append(hash)
        if repair {
            try Files.remove(path)
            report.isRepaired = true
        }
    }

    func examineDocuments(repair: Bool, into report: inout VerifyReport) throws(ContentError) {
        let site = storedSite()
        if site.list == nil {
            if FileIdentity(of: sitePath) != nil {
                report.damagedDocuments.append(sitePath)
            } else if isListMissing(site) {
                report.missingDocuments.append(sitePath)
            }
        }
        let damaged = Set(report.damagedAssets)
        var missing: Set<AssetHash> = []
        let stored = storedScopes()
        if let list = site.list {
            report.notStored = Set(list.entries.keys).subtracting(stored).count
        }
        for scope in stored where site.shows(scope) {
            let path = path(of: scope)
            guard let bytes = try Files.read(path, limit: Self.readLimit),
                let manifest = try? Manifest(json: bytes, source: path)
            else {
                report.damagedDocuments.append(path)
                if repair {
                    try Files.remove(path)
                    report.isRepaired = true
                }
                continue
            }
            // A damaged one is missing only after its removal.
            for asset in manifest.assets where damaged.contains(asset.sha256) ? repair : !has(asset) {
                missing.insert(asset.sha256)
            }
        }
        report.missingAssets = missing.sorted()
    }

    /// Whether there was a list, or has to be one. A site without one has no side file of it either.
    private func isListMissing(_ site: StoredSite) -> Bool {
        if case .untrusted = site { return true }
        return FileIdentity(of: sidePath(of: sitePath)) != nil
    }

    /// The part of `prune` that needs the lock: the caller holds it.
    ///
    /// - Parameter check: throws to stop early. A walk over tens of thousands of manifests takes many seconds.
    /// - Throws: `.storage` if a manifest cannot be read, because the assets that it needs are unknown then.
    package func removeUnneeded(
        keeping: Set<AssetHash>, check: () throws(ContentError) -> Void = {}
    ) throws(ContentError) -> PruneReport {
        var report = PruneReport()
        let site = storedSite()
        // Without a trusted list, it is unknown what is needed.
        if case .untrusted = site { return report }
        var needed = keeping
        // Uses the list if there is one: a folder that cannot be read looks like an empty one.
        for scope in visibleScopes(site) {
            try check()
            needed.formUnion(try assets(at: path(of: scope)))
        }
        for scope in storedScopes() where !site.shows(scope) {
            try check()
            let path = path(of: scope)
            try Files.remove(path)
            try Files.remove(sidePath(of: path))
            report.documents += 1
        }
        for scope in storedScopes(pending: true) {
            try check()
            let path = pendingPath(of: scope)
            if site.shows(scope), isCurrent(path, scope, site) {
                needed.formUnion(try assets(at: path))
            } else {
                try Files.remove(path)
            }
        }
        try removeAssets(except: needed, into: &report)
        for name in FolderListing.names(in: signatureFolder) where site.hash.map({ name != $0.description }) ?? false {
            try Files.remove("\(signatureFolder)/\(name)")
        }
        return report
    }

    private func removeAssets(except needed: Set<AssetHash>, into report: inout PruneReport) throws(ContentError) {
        var unneeded: [String] = []
        forEachAsset { hash, path in
            if !needed.contains(hash) { unneeded.append(path) }
        }
        for name in FolderListing.names(in: partialFolder) {
            guard let hash = AssetHash(String(name.prefix(64))), !needed.contains(hash) else { continue }
            unneeded.append("\(partialFolder)/\(name)")
        }
        for path in unneeded {
            report.bytes += FileIdentity(of: path)?.bytes ?? 0
            if !path.hasSuffix(".etag") { report.assets += 1 }
            try Files.remove(path)
        }
    }

    /// The assets of a manifest; empty if there is no valid manifest.
    ///
    /// - Throws: `ContentError` if the file exists and cannot be read.
    func assets(at path: String) throws(ContentError) -> [AssetHash] {
        guard let bytes = try Files.read(path, limit: Self.readLimit),
            let manifest = try? Manifest(json: bytes, source: path)
        else { return [] }
        return manifest.assets.map(\.sha256)
    }

    /// Whether the file is the manifest that the list names; always true without a list.
    func isCurrent(_ path: String, _ scope: ContentScope, _ site: StoredSite) -> Bool {
        guard let list = site.list else { return true }
        guard let bytes = (try? Files.read(path, limit: Self.readLimit)) ?? nil else { return false }
        return list.entries[scope]?.sha256 == AssetHash(of: bytes)
    }
}
