/// What the nearest beacon means for content.
package struct ContentExplanation: Sendable, Hashable {
    /// The path of the manifest for the beacon; nil if the site has none.
    package var manifest: String?
    /// One sentence: whether the content is on the disk, and why this manifest was chosen.
    package var reason: String

    package init(manifest: String?, reason: String) {
        self.manifest = manifest
        self.reason = reason
    }
}
