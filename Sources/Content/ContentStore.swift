package import Beacon
internal import Crypto
import Glibc
import Platform
package import SiteFormat
internal import Synchronization

/// Reads the content on the disk. Any number of processes may read while one syncs.
///
/// The directory:
///
///     site.json                          the site list as received, if the site has one
///     signatures/{sha256 of site.json}   its signature, if one is required
///     accepted.json                      the revisions that were accepted, by URL; they never go back
///     keys.json                          the keys that may sign it, if some are configured
///     beacons/{uuid}/{major}/{minor}.json, beacons/{uuid}/{major}.json, beacons/{uuid}.json
///     uncategorized.json                 manifests as received, byte for byte
///     ….meta                             beside documents: SHA-256, URL, ETag, when it was last confirmed
///     assets/{first two digits}/{sha256} files, named by the hash of their content
///     partial/{sha256}                   unfinished assets, and their ETags
///     pending/…                          manifests whose assets are being fetched
///     learned.json                       from which beacon visitors go to which, and when content was last needed
///     tmp/                               emptied when a sync client starts
///     lock                               held by the sync client
///
/// Every file is written under another name, flushed and renamed into place; then its folder is flushed. A manifest is
/// put into place after all of its assets. So a kill or a power cut at any instant leaves either the old content or the
/// new. Side files are not flushed: a lost one costs one request.
///
/// If there is a `site.json`, only what it lists is content, and manifests of deleted beacons are not shown. If keys
/// are configured and no list signed by one of them is stored, there is no content.
package final class ContentStore: Sendable {
    /// The store's directory.
    package let directory: String
    private let siteCache = Mutex<CachedSite?>(nil)

    private struct CachedSite {
        var identity: FileIdentity?
        var keys: FileIdentity?
        var site: StoredSite
    }

    /// Opens a store, and creates its directory if it is missing.
    ///
    /// - Throws: `ContentError` with code `.storage` if the directory cannot be created or is not a directory.
    package init(directory: String) throws(ContentError) {
        guard !directory.isEmpty else {
            throw ContentError(
                code: .settings, place: "content directory", cause: "it is empty", remedy: "set it to a directory")
        }
        self.directory = PathText.withoutLastSlashes(directory)
        try Files.makeFolder(self.directory)
    }

    /// Opens an existing store for reading. Nothing is created or changed.
    ///
    /// - Throws: `ContentError` with code `.storage` if there is no directory, or none that can be read.
    package convenience init(reading directory: String) throws(ContentError) {
        // Without this, what may not be read would look like an empty store in which nothing is wrong.
        for folder in [directory, "\(directory)/beacons", "\(directory)/assets"] {
            guard access(folder, R_OK | X_OK) == 0 || errno != EACCES else {
                throw Files.failure("cannot be read", folder)
            }
        }
        guard Files.isFolder(directory) else {
            throw ContentError(
                code: .storage, place: directory, cause: "there is no content store",
                remedy: "name the right folder, or let beacond or beaconctl content sync make one")
        }
        try self.init(directory: directory)
    }

    /// The content for a beacon; nil as the beacon means that no beacon is near.
    ///
    /// The most specific manifest that is stored (and listed, if the site has a list) counts. Returns nil if there is
    /// none. A beacon never gets the uncategorized content.
    package func content(for beacon: BeaconID?) -> StoredContent? {
        let site = storedSite()
        for scope in ContentScope.candidates(for: beacon) where site.shows(scope) {
            if var content = content(at: scope, site: site) {
                content.beacon = beacon
                return content
            }
        }
        return nil
    }

    /// All content that can be shown, sorted by beacon, with the uncategorized content last. Manifests that cannot be
    /// read are left out.
    package func list() throws -> [StoredContent] {
        let site = storedSite()
        return visibleScopes(site).compactMap { content(at: $0, site: site) }
    }

    /// The path of an asset's file; nil if it is not stored or `sha256` is not 64 hexadecimal digits.
    package func assetPath(_ sha256: String) -> String? {
        guard let hash = AssetHash(sha256) else { return nil }
        let path = path(of: hash)
        return FileIdentity(of: path) == nil ? nil : path
    }

    /// The stored site list. Nil if there is none, if it cannot be read, or if a signature is required and it has no
    /// valid one.
    package func siteList() -> SiteList? {
        storedSite().list
    }

    /// Hashes every stored asset again. It blocks while it reads all of them.
    ///
    /// - Returns: the hashes of the files whose content does not match their name.
    package func damagedAssets() -> [String] {
        var damaged: [String] = []
        forEachAsset { hash, _ in
            if !matches(hash) { damaged.append(hash.description) }
        }
        return damaged
    }
}

// MARK: - The site list

extension ContentStore {
    func storedSite() -> StoredSite {
        let identity = FileIdentity(of: sitePath)
        let keys = FileIdentity(of: keysPath)
        guard identity != nil || keys != nil else { return .none }
        if let cached = siteCache.withLock({ $0 }), cached.identity == identity, cached.keys == keys {
            return cached.site
        }
        do throws(ContentError) {
            let site = try readSite(hasKeys: keys != nil)
            siteCache.withLock { $0 = CachedSite(identity: identity, keys: keys, site: site) }
            return site
        } catch {
            // Not remembered: the disk may have failed once, or too many files are open.
            return keys != nil ? .untrusted : .none
        }
    }

    /// The writer has just stored this list, and checked it as `readSite` does. So it need not be read again.
    func remember(_ site: StoredSite) {
        let cached = CachedSite(identity: FileIdentity(of: sitePath), keys: FileIdentity(of: keysPath), site: site)
        siteCache.withLock { $0 = cached }
    }

    /// - Throws: if a file cannot be read. Its content may be right.
    private func readSite(hasKeys: Bool) throws(ContentError) -> StoredSite {
        let unusable: StoredSite = hasKeys ? .untrusted : .none
        guard let bytes = try Files.read(sitePath, limit: Self.readLimit),
            let list = try? SiteList(json: bytes, source: sitePath)
        else { return unusable }
        let hash = AssetHash(of: bytes)
        if hasKeys {
            guard let keys = try storedKeys(), !keys.isEmpty else { return .untrusted }
            let signature = try Files.read(signaturePath(of: hash), limit: 4096)
            do {
                try keys.check(list, bytes: bytes, signature: signature, source: sitePath)
            } catch {
                return .untrusted
            }
        }
        return .list(list, hash)
    }

    /// The keys that were configured when the store was last opened for writing; nil if the file has none.
    ///
    /// - Throws: if the file cannot be read.
    func storedKeys() throws(ContentError) -> [SiteKey]? {
        guard let bytes = try Files.read(keysPath, limit: 1 << 20) else { return nil }
        return try? decodeDocument([SiteKey].self, json: bytes, source: keysPath)
    }
}

// MARK: - Reading

extension ContentStore {
    /// Whether the asset is stored with the right size. Its hash was checked before it was put into place.
    func has(_ asset: ManifestAsset) -> Bool {
        FileIdentity(of: path(of: asset.sha256))?.bytes == asset.bytes
    }

    /// The document at `path`, with its side file if that describes the same bytes.
    func document(at path: String) -> StoredDocument? {
        guard let bytes = (try? Files.read(path, limit: Self.readLimit)) ?? nil else { return nil }
        let hash = AssetHash(of: bytes)
        let side = side(of: path)
        return StoredDocument(bytes: bytes, sha256: hash, side: side?.sha256 == hash ? side : nil)
    }

    /// The side file of a document, even if it describes an earlier version of it.
    func side(of path: String) -> SideFile? {
        (try? Files.read(sidePath(of: path), limit: 65536)).flatMap { $0 }.flatMap { json in
            try? decodeDocument(SideFile.self, json: json, source: path)
        }
    }

    func visibleScopes(_ site: StoredSite) -> [ContentScope] {
        switch site {
        case .none: storedScopes().sorted()
        case .list(let list, _): list.entries.keys.sorted()
        case .untrusted: []
        }
    }

    func content(at scope: ContentScope, site: StoredSite) -> StoredContent? {
        let path = path(of: scope)
        guard let document = document(at: path), let manifest = try? Manifest(json: document.bytes, source: path)
        else { return nil }
        let entry = site.list?.entries[scope]
        let assets = manifest.assets
        let present = assets.filter(has)
        return StoredContent(
            scope: scope, beacon: scope.beacon, name: entry?.name ?? manifest.beacon?.name,
            manifest: manifest, manifestPath: path, assets: assets.count, missing: assets.count - present.count,
            bytes: assets.reduce(0) { $0.addingClamped($1.bytes) }, files: present.map { self.path(of: $0.sha256) },
            validatedAt: validatedAt(document, entry))
    }

    /// A manifest that the list names with its hash is as current as the list.
    private func validatedAt(_ document: StoredDocument, _ entry: SiteList.Entry?) -> Timestamp? {
        let side = entry?.sha256 == document.sha256 ? side(of: sitePath) : document.side
        return side.map { Timestamp(microseconds: $0.validatedAt) }
    }

    /// Whether the content of the stored file has this hash. It is read in chunks, because assets can be large.
    func matches(_ hash: AssetHash) -> Bool {
        var hasher = SHA256()
        let read = Files.readChunks(path(of: hash)) { hasher.update(bufferPointer: $0) }
        return read && AssetHash(sha256: hasher.finalize()) == hash
    }
}
