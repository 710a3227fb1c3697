/// What ranging's nearest beacon means for content: told by whoever keeps the content.
package struct ContentExplanation: Sendable, Hashable {
    /// The path of the manifest that counts for the beacon; nil where the site has none.
    package var manifest: String?
    /// In one sentence: whether it is on the disk, and why that manifest.
    package var reason: String

    /// An explanation of its parts.
    package init(manifest: String?, reason: String) {
        self.manifest = manifest
        self.reason = reason
    }
}
