import CuratorPages

/// The server's own templates, languages and assets: part of the program, or read from a folder while they are being
/// written.
package struct Resources: Sendable {
    /// The folder that is read instead: the sources' `Resources`.
    package let folder: String?

    package init(folder: String? = nil) {
        self.folder = folder
    }

    /// The bytes of a resource that `EmbeddedResources` lists.
    package func octets(_ kind: Kind, _ name: String) -> [UInt8]? {
        // Only listed names are opened, so no name leads out of the folder.
        guard let embedded = kind.embedded[name] else { return nil }
        guard let folder else { return embedded }
        for inner in Self.folders {
            if let octets = FileContents.read("\(folder)/\(inner)/\(name)") { return octets }
        }
        return embedded
    }

    /// Names are unique over all of them.
    private static let folders = [".", "Templates", "Languages", "Assets"]

    package enum Kind: Sendable {
        case templates, languages, assets

        var embedded: [String: [UInt8]] {
            switch self {
            case .templates: EmbeddedResources.templates
            case .languages: EmbeddedResources.languages
            case .assets: EmbeddedResources.assets
            }
        }
    }
}
