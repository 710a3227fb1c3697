package import Beacon
package import SiteFormat

/// Content that is stored and can be shown.
package struct StoredContent: Sendable {
    /// The scope of the manifest. It may be wider than the requested beacon.
    package var scope: ContentScope
    /// The requested beacon, or the one of `scope`. Nil for the uncategorized content, and in listings for manifests of
    /// a whole major or UUID.
    package var beacon: BeaconID?
    /// The name for people; nil if the site gives none.
    package var name: String?
    package var manifest: Manifest
    /// The manifest's file, with the exact bytes that were received.
    package var manifestPath: String
    /// The number of assets in the manifest. Each is counted once.
    package var assets: Int
    /// The number of assets that are not stored. 0 unless files were removed from the store by hand.
    package var missing: Int
    /// The total size of all assets.
    package var bytes: Int64
    /// The files of the stored assets, in the manifest's order.
    package var files: [String]
    /// When the server last confirmed that the manifest is current; nil if that is unknown.
    package var validatedAt: Timestamp?

    package init(
        scope: ContentScope, beacon: BeaconID?, name: String?, manifest: Manifest, manifestPath: String, assets: Int,
        missing: Int, bytes: Int64, files: [String], validatedAt: Timestamp?
    ) {
        self.scope = scope
        self.beacon = beacon
        self.name = name
        self.manifest = manifest
        self.manifestPath = manifestPath
        self.assets = assets
        self.missing = missing
        self.bytes = bytes
        self.files = files
        self.validatedAt = validatedAt
    }
}
