internal import Beacon
import Platform
import SiteFormat

// One sync: finds the manifest that counts, checks that it is current, and fetches its missing assets.
extension ContentSync {
    func sync(_ beacon: BeaconID?) async throws(ContentError) -> SyncOutcome {
        let key = JobKey.beacon(beacon)
        async let listing = listAnswer(.job(key))
        let early = await manifestInAdvance(for: beacon)
        let site = try await listing.get()
        if let early, let (scope, entry) = site?.entry(for: beacon), scope == early.scope,
            entry.sha256 == early.entry.sha256, entry.manifest == early.entry.manifest
        {
            var found = try early.result.get()
            found.name = entry.name
            return try await complete(found, for: key)
        }
        guard let found = try await manifest(for: beacon, site: site, key) else { return .nothing }
        return try await complete(found, for: key)
    }

    /// The manifest that the last list names for a beacon, fetched at the same time as the list itself: one round trip
    /// for both. The result counts only if the new list names the same manifest. This also applies to a failure, so
    /// that no request is made twice.
    private func manifestInAdvance(for beacon: BeaconID?) async -> EarlyManifest? {
        guard !scheduler.isTroubled(.beacon(beacon)), let (scope, entry) = scheduler.site?.list?.entry(for: beacon)
        else { return nil }
        do throws(ContentError) {
            let found = try await manifest(scope, entry, fresh: false)
            return EarlyManifest(scope: scope, entry: entry, result: .success(found))
        } catch {
            return EarlyManifest(scope: scope, entry: entry, result: .failure(error))
        }
    }

    private struct EarlyManifest {
        var scope: ContentScope
        var entry: SiteList.Entry
        var result: Result<FoundManifest, ContentError>
    }

    /// Syncs a manifest of the list that was received last, or a stored manifest of a site without a list.
    func sync(_ scope: ContentScope) async throws(ContentError) -> SyncOutcome {
        if case .some(.none) = scheduler.site { return try await syncUnlisted(scope) }
        guard let entry = scheduler.site?.list?.entries[scope] else { return .nothing }
        let key = JobKey.scope(scope)
        if let known = tooLarge.known(scope, entry.sha256) {
            scheduler.holds(key, Set(known.assets.map(\.sha256)))
            let missing = await writer.missing(known.assets)
            try await makeRoom(for: missing, manifest: known.bytes * (missing.isEmpty ? 1 : 2), key)
        }
        let found = try await manifest(scope, entry, fresh: scheduler.isTroubled(key), isInAdvance: true)
        do throws(ContentError) {
            let outcome = try await complete(found, for: key)
            tooLarge.forget(scope)
            return outcome
        } catch {
            if error.code == .quota { note(found) }
            throw error
        }
    }

    private func syncUnlisted(_ scope: ContentScope) async throws(ContentError) -> SyncOutcome {
        let key = JobKey.scope(scope)
        let url = settings.base.url(of: scope)
        let found = try await manifest(
            scope, url: url, expected: nil, fresh: scheduler.isTroubled(key), isInAdvance: true)
        if let found {
            scheduler.found(scope, at: time.elapsed())
            return try await complete(found, for: key)
        }
        guard await writer.hasDocument(of: scope) else { return .nothing }
        guard scheduler.isGone(scope, at: time.elapsed()) else { throw .noManifest(url) }
        try await writer.remove(store.path(of: scope))
        return .nothing
    }

    private func note(_ found: FoundManifest) {
        let site = scheduler.site
        tooLarge.keep(of: site?.hash) { site?.list?.entries[$0]?.sha256 == $1 }
        tooLarge.note(
            found.scope,
            .init(sha256: found.sha256, bytes: found.isStored ? 0 : found.bytes.count, assets: found.manifest.assets))
    }

    /// Fetches the missing assets and puts the manifest into place.
    private func complete(_ found: FoundManifest, for key: JobKey) async throws(ContentError) -> SyncOutcome {
        let assets = found.manifest.assets
        scheduler.holds(key, Set(assets.map(\.sha256)))
        var fetched: [ManifestAsset] = []
        // Tries again if something was removed meanwhile.
        for _ in 0..<3 {
            let missing = await writer.missing(assets)
            // A manifest is written twice if it has to wait for its assets.
            let own = found.isStored ? 0 : found.bytes.count * (missing.isEmpty ? 1 : 2)
            if !missing.isEmpty || own > 0 { try await makeRoom(for: missing, manifest: own, key) }
            if !missing.isEmpty {
                await keepPending(found, missing: missing)
                try await fetch(missing, for: key)
                fetched += missing
            }
            let lost = try await writer.publish(
                found.manifest, found.bytes, of: found.scope, side: side(of: found), isStored: found.isStored)
            if lost.isEmpty { return outcome(found, fetched: fetched) }
            // Two manifests give different sizes for one hash: at most one of them is right.
            if let wrong = await writer.wrongSize(lost) {
                throw ContentError(
                    code: .format, place: "\(found.url): asset \(wrong.sha256)",
                    cause: "the file does not have the promised \(wrong.bytes) bytes",
                    remedy: "give the file's true size and publish again")
            }
        }
        throw ContentError(
            code: .storage, place: store.directory, cause: "files vanish while they are synced",
            remedy: "do not remove files from the store by hand")
    }

    private func side(of found: FoundManifest) -> SideFile? {
        // A manifest that the list names by its hash is as current as the list. It needs no side file.
        found.isListed
            ? nil
            : SideFile(
                sha256: found.sha256, url: found.url, validators: found.validators,
                validatedAt: time.now().microseconds)
    }

    private func outcome(_ found: FoundManifest, fetched: [ManifestAsset]) -> SyncOutcome {
        let assets = found.manifest.assets
        return .ready(
            ContentSummary(
                name: found.name ?? found.manifest.beacon?.name, scope: found.scope, fetchedAssets: fetched.count,
                fetchedBytes: fetched.reduce(0) { $0.addingClamped($1.bytes) }, assets: assets.count,
                bytes: assets.reduce(0) { $0.addingClamped($1.bytes) }, unchanged: found.isStored),
            isNew: !found.hasOld)
    }

    /// Records what a large download is for, so that its progress can be shown after a restart.
    private func keepPending(_ found: FoundManifest, missing: [ManifestAsset]) async {
        let bytes = missing.reduce(Int64(0)) { $0.addingClamped($1.bytes) }
        guard bytes >= 1 << 20, !found.isStored else { return }
        try? await writer.replaceUnflushed(store.pendingPath(of: found.scope), with: found.bytes)
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
        /// The store already has exactly this manifest.
        var isStored: Bool
        /// The store has this manifest, or an older one in its place.
        var hasOld: Bool
        /// The site list names the manifest with its hash.
        var isListed = false
    }

    /// The manifest that counts for a beacon; nil if the site has none.
    private func manifest(
        for beacon: BeaconID?, site: SiteList?, _ key: JobKey
    ) async throws(ContentError) -> FoundManifest? {
        let fresh = scheduler.isTroubled(key)
        if let site {
            guard let (scope, entry) = site.entry(for: beacon) else { return nil }
            return try await manifest(scope, entry, fresh: fresh)
        }
        if !scheduler.isSilent(key) {
            while let wait = scheduler.takeRequest(at: time.elapsed()) {
                guard (try? await time.sleep(wait)) != nil else { throw .cancelled(settings.baseURL) }
            }
        }
        var kept: ContentScope?
        for scope in ContentScope.candidates(for: beacon) {
            let url = settings.base.url(of: scope)
            if let found = try await manifest(scope, url: url, expected: nil, fresh: fresh) {
                scheduler.found(scope, at: time.elapsed())
                try await writer.dropList(notFrom: settings.base.url("/v1/site.json"))
                return found
            }
            guard await writer.hasDocument(of: scope) else { continue }
            if scheduler.isGone(scope, at: time.elapsed()) {
                try await writer.remove(store.path(of: scope))
            } else {
                kept = kept ?? scope
            }
        }
        if let kept { throw .noManifest(settings.base.url(of: kept)) }
        return nil
    }

    private func manifest(
        _ scope: ContentScope, _ entry: SiteList.Entry, fresh: Bool, isInAdvance: Bool = false
    ) async throws(ContentError) -> FoundManifest {
        let url = settings.base.url(of: entry.manifest)
        let manifest = try await manifest(
            scope, url: url, expected: entry.sha256, fresh: fresh, isInAdvance: isInAdvance)
        guard var found = manifest else {
            throw ContentError(
                code: .refused, place: url, cause: "the site list names this manifest, but it is not there",
                remedy: "publish the manifest, or a site list without it")
        }
        found.name = entry.name
        found.isListed = true
        return found
    }

    /// The manifest at a URL; nil if there is none.
    ///
    /// - Parameter expected: the hash in the site list. If the store has a manifest with this hash, no request is made.
    private func manifest(
        _ scope: ContentScope, url: String, expected: AssetHash?, fresh: Bool, isInAdvance: Bool = false
    ) async throws(ContentError) -> FoundManifest? {
        var stored: FoundManifest?
        if let document = await writer.document(at: store.path(of: scope)),
            let manifest = try? checkedManifest(document.bytes, source: url)
        {
            stored = FoundManifest(
                scope: scope, url: url, bytes: document.bytes, sha256: document.sha256, manifest: manifest,
                validators: document.side?.url == url ? document.side?.validators ?? Validators() : Validators(),
                isStored: true, hasOld: true)
        }
        if let stored, stored.sha256 == expected { return stored }
        // An earlier sync has read this manifest, and was stopped while it fetched the assets.
        if let expected, let document = await writer.document(at: store.pendingPath(of: scope)),
            document.sha256 == expected, let manifest = try? checkedManifest(document.bytes, source: url)
        {
            return FoundManifest(
                scope: scope, url: url, bytes: document.bytes, sha256: expected, manifest: manifest,
                validators: Validators(), isStored: false, hasOld: stored != nil)
        }

        // Fetches in advance share a few connections, however many are running.
        if isInAdvance { await documents.wait() }
        defer { if isInAdvance { documents.signal() } }
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
                isStored: stored?.sha256 == hash, hasOld: stored != nil)
        }
    }

    /// Decodes a manifest and checks it against the limits before anything is fetched for it.
    private func checkedManifest(_ bytes: [UInt8], source: String) throws(ContentError) -> Manifest {
        let manifest = try Manifest(json: bytes, source: source)
        let variants = manifest.variants.map { ("variants.\($0.key).images", $0.value.images.count) }
        for (place, count) in [("images", manifest.images.count)] + variants where count > settings.maximumImages {
            throw ContentError(
                code: .tooLarge, place: "\(source): \(place)",
                cause: "it has \(count) images, at most \(settings.maximumImages) are allowed",
                remedy: "remove some images, or raise content.maximum_images")
        }
        let assets = manifest.assets
        guard assets.count <= ContentLimits.manifestAssets else {
            throw ContentError(
                code: .tooLarge, place: source,
                cause: "it names \(assets.count) files, at most \(ContentLimits.manifestAssets) are allowed",
                remedy: "use fewer files")
        }
        var total: Int64 = 0
        for asset in assets {
            guard asset.bytes <= settings.maximumAssetBytes else {
                throw ContentError(
                    code: .tooLarge, place: "\(source): asset \(asset.sha256)",
                    cause: "it has \(asset.bytes) bytes, at most \(settings.maximumAssetBytes) are allowed",
                    remedy: "make it smaller")
            }
            total = total.addingClamped(asset.bytes)
        }
        guard total <= settings.maximumContentBytes else {
            throw ContentError(
                code: .tooLarge, place: source,
                cause: "its assets have \(total) bytes, at most \(settings.maximumContentBytes) are allowed",
                remedy: "use smaller assets")
        }
        return manifest
    }
}

extension ContentError {
    /// For a site without a list.
    fileprivate static func noManifest(_ url: String) -> ContentError {
        ContentError(
            code: .refused, place: url, cause: "it is gone, though it was there before",
            remedy: "put it back, or check content.base_url; if it is meant, it is removed when the site goes on to "
                + "answer with others, or now with beaconctl content sync --accept-removals")
    }
}

extension StoreWriter {
    func hasDocument(of scope: ContentScope) -> Bool {
        FileIdentity(of: store.path(of: scope)) != nil
    }

    /// The first of the assets whose file is stored with a size other than the promised one.
    func wrongSize(_ assets: [ManifestAsset]) -> ManifestAsset? {
        assets.first { FileIdentity(of: store.path(of: $0.sha256)) != nil && !store.has($0) }
    }

    func hasContent(for beacon: BeaconID?) -> Bool {
        store.content(for: beacon) != nil
    }
}
