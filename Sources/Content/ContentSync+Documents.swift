internal import Beacon

// One sync: which manifest counts, is it current, are its assets there.
extension ContentSync {
    func sync(_ beacon: BeaconID?) async throws(ContentError) -> Outcome {
        let site = try await siteList()
        jobs[beacon]?.hasReachedServer = true
        guard let found = try await manifest(for: beacon, site: site) else { return .nothing }
        let assets = found.manifest.assets
        let missing = await writer.missing(assets)
        if !missing.isEmpty {
            try await fetch(missing, for: beacon)
            guard let lost = await writer.missing(assets).first else {
                return try await publish(found, fetched: missing)
            }
            // Two manifests promise different sizes for one hash: at most one can be right.
            throw ContentError(
                code: .format, place: "\(found.url): asset \(lost.sha256)",
                cause: "the file does not have the promised \(lost.bytes) bytes",
                remedy: "give the file's true size and publish again")
        }
        return try await publish(found, fetched: [])
    }

    /// Puts the manifest into place, now that all of its assets are.
    private func publish(
        _ found: FoundManifest, fetched: [ManifestAsset]
    ) async throws(ContentError) -> Outcome {
        let path = store.path(of: found.scope)
        let side = SideFile(
            sha256: found.sha256, url: found.url, validators: found.validators,
            validatedAt: time.now().microseconds)
        if found.isStored {
            try await writer.putSide(side, of: path)
        } else {
            try await writer.put(found.bytes, at: path, side: side)
        }
        let assets = found.manifest.assets
        return .ready(
            ContentSummary(
                name: found.name ?? found.manifest.beacon?.name, scope: found.scope, fetchedAssets: fetched.count,
                fetchedBytes: fetched.reduce(0) { $0.addingClamped($1.bytes) }, assets: assets.count,
                bytes: assets.reduce(0) { $0.addingClamped($1.bytes) }, unchanged: found.isStored))
    }
}

// MARK: - The site list

extension ContentSync {
    /// The current site list; nil where the site has none. Several callers share one request.
    private func siteList() async throws(ContentError) -> SiteList? {
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
        return try result.get()
    }

    private func fetchSiteList() async throws(ContentError) -> SiteList? {
        let path = store.sitePath
        let url = settings.base.url("/v1/site.json")
        let stored = await writer.document(at: path)
        let known = await writer.siteList()
        let side = stored?.side?.url == url && known != nil ? stored?.side : nil
        let answer = try await fetcher.document(
            url, validators: side?.validators, limit: settings.maximumSiteListBytes, fresh: false)
        siteAbsentUntil = nil
        switch answer {
        case .unchanged:
            if var side {
                side.validatedAt = time.now().microseconds
                try await writer.putSide(side, of: path)
            }
            return known
        case .absent:
            try await writer.remove(path)
            siteAbsentUntil = time.elapsed() + settings.listAbsenceLifetime
            return nil
        case .document(let bytes, let validators):
            let list = try SiteList(json: bytes, source: url)
            let isSameSite = stored?.side.map { $0.url == url } ?? true
            if let known, isSameSite, list.revision < known.revision {
                throw ContentError(
                    code: .rollback, place: "\(url): revision",
                    cause: "it is \(list.revision), though \(known.revision) was published before",
                    remedy: "publish with a higher revision, or remove \(path) if that is meant")
            }
            let side = SideFile(
                sha256: AssetHash(of: bytes), url: url, validators: validators,
                validatedAt: time.now().microseconds)
            try await writer.put(bytes, at: path, side: side)
            return list
        }
    }
}

// MARK: - Manifests

extension ContentSync {
    struct FoundManifest {
        var scope: ContentScope
        var url: String
        var name: String?
        var bytes: [UInt8]
        var sha256: AssetHash
        var manifest: Manifest
        var validators: Validators
        /// It is what the store has already.
        var isStored: Bool
    }

    /// The manifest that counts for a beacon; nil where the site has none.
    private func manifest(
        for beacon: BeaconID?, site: SiteList?
    ) async throws(ContentError) -> FoundManifest? {
        let fresh = isTroubled(beacon)
        if let site {
            guard let (scope, entry) = site.entry(for: beacon) else { return nil }
            let url = settings.base.url(of: entry.manifest)
            guard var found = try await manifest(scope, url: url, expected: entry.sha256, fresh: fresh) else {
                throw ContentError(
                    code: .refused, place: url, cause: "the site list names this manifest, but it is not there",
                    remedy: "publish the manifest, or a site list without it")
            }
            found.name = entry.name
            return found
        }
        for scope in ContentScope.candidates(for: beacon) {
            let url = settings.base.url(of: scope)
            if let found = try await manifest(scope, url: url, expected: nil, fresh: fresh) { return found }
            try await writer.remove(store.path(of: scope))
        }
        return nil
    }

    /// The manifest at a URL; nil where there is none.
    ///
    /// - Parameter expected: the hash that the site list gives. If the store has it, no request is made.
    private func manifest(
        _ scope: ContentScope, url: String, expected: AssetHash?, fresh: Bool
    ) async throws(ContentError) -> FoundManifest? {
        var stored: FoundManifest?
        if let document = await writer.document(at: store.path(of: scope)),
            let manifest = try? checkedManifest(document.bytes, source: url) {
            stored = FoundManifest(
                scope: scope, url: url, bytes: document.bytes, sha256: document.sha256, manifest: manifest,
                validators: document.side?.url == url ? document.side?.validators ?? Validators() : Validators(),
                isStored: true)
        }
        if let stored, stored.sha256 == expected { return stored }

        let answer = try await fetcher.document(
            url, validators: expected == nil ? stored?.validators : nil, limit: settings.maximumManifestBytes,
            fresh: fresh)
        switch answer {
        case .absent: return nil
        case .unchanged: return stored
        case .document(let bytes, let validators):
            let hash = AssetHash(of: bytes)
            if let expected, hash != expected {
                throw ContentError(
                    code: .hash, place: url, cause: "it has the SHA-256 \(hash), the site list says \(expected)",
                    remedy: "publish the manifest and the site list again")
            }
            return FoundManifest(
                scope: scope, url: url, bytes: bytes, sha256: hash,
                manifest: try checkedManifest(bytes, source: url), validators: validators,
                isStored: stored?.sha256 == hash)
        }
    }

    /// Decodes a manifest and holds it against the limits, before anything is fetched for it.
    private func checkedManifest(_ bytes: [UInt8], source: String) throws(ContentError) -> Manifest {
        let manifest = try Manifest(json: bytes, source: source)
        guard manifest.images.count <= settings.maximumImages else {
            throw ContentError(
                code: .tooLarge, place: "\(source): images",
                cause: "it has \(manifest.images.count) images, at most \(settings.maximumImages) are allowed",
                remedy: "remove some images, or raise the limit in the settings")
        }
        var total: Int64 = 0
        for asset in manifest.assets {
            guard asset.bytes <= settings.maximumAssetBytes else {
                throw ContentError(
                    code: .tooLarge, place: "\(source): asset \(asset.sha256)",
                    cause: "it has \(asset.bytes) bytes, at most \(settings.maximumAssetBytes) are allowed",
                    remedy: "make it smaller, or raise the limit in the settings")
            }
            total = total.addingClamped(asset.bytes)
        }
        guard total <= settings.maximumContentBytes else {
            throw ContentError(
                code: .tooLarge, place: source,
                cause: "its assets have \(total) bytes, at most \(settings.maximumContentBytes) are allowed",
                remedy: "use smaller assets, or raise the limit in the settings")
        }
        return manifest
    }
}

extension StoreWriter {
    func siteList() -> SiteList? {
        store.siteList()
    }

    func hasContent(for beacon: BeaconID?) -> Bool {
        store.content(for: beacon) != nil
    }
}
