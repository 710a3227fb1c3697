package import Beacon
package import SiteFormat

/// Content that is on the disk and can be shown.
package struct StoredContent: Sendable {
    /// What the manifest is for. It may be wider than the beacon that was asked for.
    package var scope: ContentScope
    /// The beacon that was asked for, or the one that `scope` is about; nil for the uncategorized content, and in
    /// listings for manifests of a whole major or UUID.
    package var beacon: BeaconID?
    /// The name for people, where the site gives one.
    package var name: String?
    package var manifest: Manifest
    /// The manifest's file, with the exact bytes that were received.
    package var manifestPath: String
    /// How many assets the manifest has, each counted once.
    package var assets: Int
    /// How many of them are not on the disk. 0 unless files were removed from the store by hand.
    package var missing: Int
    /// The size of all assets together.
    package var bytes: Int64
    /// The files of the assets that are there, in the manifest's order.
    package var files: [String]
    /// When the server last confirmed that the manifest is current; nil where that is not known.
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
