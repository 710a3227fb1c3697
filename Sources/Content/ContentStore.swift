public import Beacon
internal import Crypto
internal import Synchronization

/// Content on the disk: reading it. Any number of processes may read while one syncs.
///
/// The directory:
///
///     site.json                          the site list as received, where the site has one
///     beacons/{uuid}/{major}/{minor}.json, beacons/{uuid}/{major}.json, beacons/{uuid}.json
///     uncategorized.json                 manifests as received, byte for byte
///     ….meta                             beside each of them: SHA-256, URL, ETag, when it was last confirmed
///     assets/{first two digits}/{sha256} files, named by what they contain
///     tmp/                               unfinished downloads, emptied when a sync client starts
///     lock                               held by the sync client
///
/// Every file is written under `tmp/`, flushed, renamed into place, and its folder flushed; a manifest comes after
/// all of its assets. So a kill or a power cut at any instant leaves the old content or the new. Side files are not
/// flushed: a lost one costs a request.
///
/// Where there is a `site.json`, only what it lists is content; manifests of deleted beacons stay out of sight.
public final class ContentStore: Sendable {
    /// The store's directory.
    public let directory: String
    private let siteCache = Mutex<(identity: Files.Identity, list: SiteList)?>(nil)

    /// Opens a store, and makes its directory where it is missing.
    ///
    /// - Throws: `ContentError` with code `.storage` where the directory cannot be made or is none.
    public init(directory: String) throws(ContentError) {
        guard !directory.isEmpty else {
            throw ContentError(
                code: .settings, place: "content directory", cause: "it is empty", remedy: "set it to a directory")
        }
        var path = directory
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.directory = path
        try Files.makeFolder(path)
    }

    /// The content for a beacon, or with nil for "no beacon is near".
    ///
    /// The most exact manifest that is stored (and listed, where the site has a list) counts. Nil where there is
    /// none; a beacon never gets the uncategorized content.
    public func content(for beacon: BeaconID?) -> StoredContent? {
        let site = siteList()
        for scope in ContentScope.candidates(for: beacon) where site == nil || site?.entries[scope] != nil {
            if let content = content(at: scope, site: site) {
                var content = content
                content.beacon = beacon
                return content
            }
        }
        return nil
    }

    /// Everything that can be shown, by beacon, the uncategorized content last. Manifests that cannot be read are
    /// left out.
    public func list() throws -> [StoredContent] {
        let site = siteList()
        let scopes = site.map { Array($0.entries.keys) } ?? storedScopes()
        return scopes.sorted().compactMap { content(at: $0, site: site) }
    }

    /// The file of an asset, or nil where it is not stored or `sha256` is not 64 hexadecimal digits.
    public func assetPath(_ sha256: String) -> String? {
        guard let hash = AssetHash(sha256) else { return nil }
        let path = path(of: hash)
        return Files.identity(path) == nil ? nil : path
    }

    /// The site list that is stored; nil where there is none, or none that can be read.
    public func siteList() -> SiteList? {
        let path = sitePath
        guard let identity = Files.identity(path) else { return nil }
        if let cached = siteCache.withLock({ $0 }), cached.identity == identity { return cached.list }
        guard let bytes = try? Files.read(path, limit: Int(Self.readLimit)),
            let list = try? SiteList(json: bytes, source: path)
        else { return nil }
        siteCache.withLock { $0 = (identity, list) }
        return list
    }

    /// Re-hashes every stored asset (blocking: it reads them all).
    ///
    /// - Returns: the hashes whose files do not contain what their name promises.
    public func damagedAssets() -> [String] {
        Files.names(in: "\(directory)/assets").sorted().flatMap { folder in
            Files.names(in: "\(directory)/assets/\(folder)").sorted().filter { name in
                guard let hash = AssetHash(name), name.hasPrefix(folder) else { return false }
                return !matches(hash)
            }
        }
    }
}

// MARK: - Paths

extension ContentStore {
    /// No document is larger; whatever was stored was checked against smaller limits before.
    static var readLimit: Int64 { 1 << 30 }

    var sitePath: String { "\(directory)/site.json" }
    var temporaryFolder: String { "\(directory)/tmp" }

    func path(of hash: AssetHash) -> String {
        "\(directory)/assets/\(hash.description.prefix(2))/\(hash)"
    }

    func path(of scope: ContentScope) -> String {
        "\(directory)/\(scope.path).json"
    }

    func sidePath(of document: String) -> String {
        "\(document.dropLast(5)).meta"
    }
}

// MARK: - Reading

extension ContentStore {
    /// Whether the asset is there in its right size. Its hash was checked before it came into place.
    func has(_ asset: ManifestAsset) -> Bool {
        Files.identity(path(of: asset.sha256))?.bytes == asset.bytes
    }

    /// The document at `path` with its side file, if that is about it.
    func document(at path: String) -> StoredDocument? {
        guard let bytes = try? Files.read(path, limit: Int(Self.readLimit)) else { return nil }
        let hash = AssetHash(of: bytes)
        let side = (try? Files.read(sidePath(of: path), limit: 65536)).flatMap { $0 }.flatMap { json in
            try? decodeDocument(SideFile.self, json: json, source: path)
        }
        return StoredDocument(bytes: bytes, sha256: hash, side: side?.sha256 == hash ? side : nil)
    }

    private func content(at scope: ContentScope, site: SiteList?) -> StoredContent? {
        let path = path(of: scope)
        guard let document = document(at: path), let manifest = try? Manifest(json: document.bytes, source: path)
        else { return nil }
        let assets = manifest.assets
        let present = assets.filter(has)
        return StoredContent(
            scope: scope, beacon: scope.beacon, name: site?.entries[scope]?.name ?? manifest.beacon?.name,
            manifest: manifest, manifestPath: path, assets: assets.count, missing: assets.count - present.count,
            bytes: assets.reduce(0) { $0.addingClamped($1.bytes) }, files: present.map { self.path(of: $0.sha256) },
            validatedAt: document.side.map { Timestamp(microseconds: $0.validatedAt) })
    }

    /// What the folders hold. Names that this program would not have given are passed over.
    private func storedScopes() -> [ContentScope] {
        var scopes: [ContentScope] = Files.identity(path(of: .uncategorized)) == nil ? [] : [.uncategorized]
        let root = "\(directory)/beacons"
        for name in Files.names(in: root) {
            if let uuid: ProximityUUID = documentValue(name) {
                scopes.append(.uuid(uuid))
            } else if let uuid: ProximityUUID = value(name) {
                scopes += storedScopes(of: uuid, in: "\(root)/\(name)")
            }
        }
        return scopes
    }

    private func storedScopes(of uuid: ProximityUUID, in folder: String) -> [ContentScope] {
        Files.names(in: folder).flatMap { name -> [ContentScope] in
            if let major: UInt16 = documentValue(name) { return [.major(uuid, major)] }
            guard let major: UInt16 = value(name) else { return [] }
            return Files.names(in: "\(folder)/\(name)").compactMap { name in
                documentValue(name).map { .beacon(BeaconID(uuid: uuid, major: major, minor: $0)) }
            }
        }
    }

    /// What a name stands for, if it is written as this program writes it: `01` is not the folder of major 1.
    private func value<Value: LosslessStringConvertible>(_ name: String) -> Value? {
        Value(name).flatMap { $0.description == name ? $0 : nil }
    }

    private func documentValue<Value: LosslessStringConvertible>(_ name: String) -> Value? {
        name.hasSuffix(".json") ? value(String(name.dropLast(5))) : nil
    }

    /// Whether the stored file has this hash; read in pieces, since assets can be large.
    func matches(_ hash: AssetHash) -> Bool {
        var hasher = SHA256()
        let read = Files.readChunks(path(of: hash)) { hasher.update(bufferPointer: $0) }
        return read && AssetHash(hasher.finalize()) == hash
    }
}

extension Int64 {
    /// A sum that stays at the largest number where it would overflow: sizes in manifests are foreign.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
