package import SiteFormat

/// The published form of a revision: a complete site in the format that devices read. It never changes after
/// publication.
package struct BuiltRevision: Hashable, Sendable {
    /// The exact bytes of `v1/site.json`.
    package var list: [UInt8]
    /// The raw Ed25519 signature of `list`; nil if the site is not signed.
    package var signature: [UInt8]?
    /// The manifests by their paths below `v1/`, such as `manifests/{sha256}.json` and `uncategorized.json`. Several
    /// paths may have the same bytes.
    package var files: [String: BuiltFile]
    /// The files of the media library that the manifests name.
    package var assets: [AssetHash: BuiltAsset]

    package init(
        list: [UInt8], signature: [UInt8]? = nil, files: [String: BuiltFile], assets: [AssetHash: BuiltAsset] = [:]
    ) {
        self.list = list
        self.signature = signature
        self.files = files
        self.assets = assets
    }
}

/// A manifest's bytes. Its media type is `application/json`.
package struct BuiltFile: Hashable, Sendable {
    package var hash: AssetHash
    package var bytes: [UInt8]

    package init(hash: AssetHash, bytes: [UInt8]) {
        self.hash = hash
        self.bytes = bytes
    }

    package init(_ bytes: [UInt8]) {
        self.init(hash: AssetHash(of: bytes), bytes: bytes)
    }
}

/// The size and type of a file of the media library. Its bytes are stored elsewhere.
package struct BuiltAsset: Hashable, Sendable {
    package var bytes: Int64
    package var mediaType: String

    package init(bytes: Int64, mediaType: String) {
        self.bytes = bytes
        self.mediaType = mediaType
    }
}
