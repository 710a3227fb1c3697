/// What ranging's nearest beacon means for content: told by whoever keeps the content.
public struct ContentExplanation: Sendable, Hashable {
    /// The path of the manifest that counts for the beacon; nil where the site has none.
    public var manifest: String?
    /// In one sentence: whether it is on the disk, and why that manifest.
    public var reason: String

    /// An explanation of its parts.
    public init(manifest: String?, reason: String) {
        self.manifest = manifest
        self.reason = reason
    }
}
