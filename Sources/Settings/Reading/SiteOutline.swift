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
            yaml.document(text) != nil
        else { return nil }
        let reader = SettingsReader(text, file: path, environment: [:])
        if reader.isSet(\.sources) { sources = reader.values.sources }
        baseURL = reader.values.content.baseURL
    }
}
