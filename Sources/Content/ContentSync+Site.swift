internal import Beacon

// The site list: asked for, checked, kept.
extension ContentSync {
    /// The current site list; nil where the site has none. Several callers share one request.
    func siteList() async throws(ContentError) -> SiteList? {
        if let until = siteAbsentUntil, time.elapsed() < until { return nil }
        if let siteRequest { return try await siteRequest.value.get() }
        let request = Task { () async -> Result<SiteList?, ContentError> in
            do throws(ContentError) {
                return .success(try await fetchSiteList())
            } catch {
                return .failure(error)
            }
        }
        siteRequest = request
        let result = await request.value
        siteRequest = nil
        // Reading a long list takes several times the memory that it has in the end.
        Memory.giveBack()
        return try result.get()
    }

    private func fetchSiteList() async throws(ContentError) -> SiteList? {
        let path = store.sitePath
        let url = settings.base.url("/v1/site.json")
        let known = await writer.storedSite()
        let side = await writer.side(of: path)
        let current = side?.url == url && known.hash != nil && side?.sha256 == known.hash ? side : nil
        let answer = try await fetcher.document(
            url, validators: current?.validators, limit: settings.maximumSiteListBytes, fresh: false)
        siteAbsentUntil = nil
        switch answer {
        case .unchanged:
            if var current {
                current.validatedAt = time.now().microseconds
                try await writer.putSide(current, of: path)
            }
            received(known)
            return known.list
        case .absent:
            guard settings.publicKeys.isEmpty else {
                throw ContentError(
                    code: .signature, place: url, cause: "it is not there, though a signed one is required",
                    remedy: "publish a signed site list, or remove the public key from the settings")
            }
            try await writer.remove(path)
            siteAbsentUntil = time.elapsed() + settings.listAbsenceLifetime
            received(.none)
            return nil
        case .document(let bytes, let validators):
            let hash = AssetHash(of: bytes)
            let list: SiteList
            if let stored = known.list, hash == known.hash {
                list = stored
            } else {
                list = try SiteList(json: bytes, source: url)
                try check(list, url: url, known: known.list, side: side)
                try await checkSignature(list, bytes, hash, url: url)
            }
            let side = SideFile(
                sha256: hash, url: url, validators: validators, validatedAt: time.now().microseconds,
                revision: list.revision)
            if hash == known.hash {
                try await writer.putSide(side, of: path)
            } else {
                try await writer.put(bytes, at: path, side: side)
                store.remember(.list(list, hash))
            }
            received(.list(list, hash))
            return list
        }
    }

    /// A list that is older than one that was seen from there before is refused: it may be replayed.
    private func check(
        _ list: SiteList, url: String, known: SiteList?, side: SideFile?
    ) throws(ContentError) {
        let isSameSite = side.map { $0.url == url } ?? true
        // The side file remembers the revision, should the list itself be damaged.
        guard let last = known?.revision ?? side?.revision, isSameSite, list.revision < last else { return }
        throw ContentError(
            code: .rollback, place: "\(url): revision",
            cause: "it is \(list.revision), though \(last) was published before",
            remedy: "publish with a higher revision, or remove \(store.sitePath) "
                + "and \(store.sidePath(of: store.sitePath)) if that is meant")
    }

    private func checkSignature(
        _ list: SiteList, _ bytes: [UInt8], _ hash: AssetHash, url: String
    ) async throws(ContentError) {
        guard !settings.publicKeys.isEmpty else { return }
        var signature: [UInt8]?
        let answer = try await fetcher.document(
            settings.base.url("/v1/signatures/\(hash)"), validators: nil, limit: 4096, fresh: false)
        if case .document(let bytes, _) = answer { signature = bytes }
        try settings.publicKeys.check(list, bytes: bytes, signature: signature, source: url)
        // Before the list, so that the list is never there without it.
        if let signature { try await writer.replace(store.signaturePath(of: hash), with: signature) }
    }

    /// Takes note of what the site has now.
    private func received(_ new: StoredSite) {
        let old = site
        site = new
        guard old == nil || old?.hash != new.hash else { return }
        if let before = old?.list, let now = new.list {
            prefetching.done = prefetching.done.filter { before.entries[$0] == now.entries[$0] }
        } else {
            prefetching.done = []
        }
        prefetching.troubles = [:]
        prefetching.order = nil
        prefetching.position = 0
        prefetching.hasPruned = false
        if old != nil, let list = new.list { siteQueue.yield(.changed(revision: list.revision)) }
        updateRanks()
        pump()
    }
}

extension StoreWriter {
    func storedSite() -> StoredSite {
        store.storedSite()
    }

    func side(of path: String) -> SideFile? {
        store.side(of: path)
    }
}
