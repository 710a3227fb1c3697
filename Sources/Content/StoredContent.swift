public import Beacon

/// Content that is on the disk and can be shown.
public struct StoredContent: Sendable {
    /// What the manifest is for. It may be wider than the beacon that was asked for.
    public var scope: ContentScope
    /// The beacon that was asked for, or the one that `scope` is about; nil for the uncategorized content, and in
    /// listings for manifests of a whole major or UUID.
    public var beacon: BeaconID?
    /// The name for people, where the site gives one.
    public var name: String?
    public var manifest: Manifest
    /// The manifest's file, with the exact bytes that were received.
    public var manifestPath: String
    /// How many assets the manifest has, each counted once.
    public var assets: Int
    /// How many of them are not on the disk. 0 unless files were removed from the store by hand.
    public var missing: Int
    /// The size of all assets together.
    public var bytes: Int64
    /// The files of the assets that are there, in the manifest's order.
    public var files: [String]
    /// When the server last confirmed that the manifest is current; nil where that is not known.
    public var validatedAt: Timestamp?

    public init(
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
