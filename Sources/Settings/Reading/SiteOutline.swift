import YAMLText

/// What the daemon's configuration says about where to listen and whose content to have, for programs that look at a
/// daemon from outside. Read leniently: what is wrong in a configuration is the daemon's to tell.
package struct SiteOutline: Sendable {
    /// As written below `sources`.
    package var sources: [String] = []
    /// `content.base_url`.
    package var baseURL: String?

    /// Reads a configuration; nil where it cannot be read.
    package init?(file path: String) {
        var yaml = YAMLReader()
        guard let text = try? DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: false),
            let root = yaml.document(text)
        else { return nil }
        sources = root["sources"]?.sequence?.compactMap(\.scalar?.string) ?? []
        baseURL = root["content"]?["base_url"]?.scalar?.string
    }
}
