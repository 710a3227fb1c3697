package import Beacon
package import YAMLText

/// `beacons` of a file, as the daemon's configuration has them. The daemon's own file will do.
package struct KnownBeaconsFile: Sendable {
    package private(set) var beacons = KnownBeacons()
    /// What is wrong with it, in the order of the file.
    package private(set) var issues: [DocumentError.Issue] = []

    /// - Throws: `DocumentError` for a file that cannot be read, or with everything that is wrong in it.
    package static func read(_ path: String) throws(DocumentError) -> KnownBeacons {
        let file = KnownBeaconsFile(try DocumentFile.text(of: path) ?? "")
        guard file.issues.isEmpty else { throw DocumentError(file: path, issues: file.issues) }
        return file.beacons
    }

    /// For people who expect names from a file that has none.
    package static let empty = "has no beacons: write `beacons:`, and below it `1.7: Star Globe`"

    package init(_ text: String) {
        let reader = SettingsReader(text, file: "", environment: [:], scope: .beacons)
        issues = reader.yaml.issues
        beacons = reader.values.ranging.beacons
    }
}
