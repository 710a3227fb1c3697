import YAMLText

/// The environment's variables that begin as settings do.
package enum BeacondVariables {
    private static let prefix = "BEACOND_"

    /// Those that are no setting, each with the one that was probably meant, by their names.
    ///
    /// - Parameters:
    ///   - environment: variables by name.
    ///   - known: the variables of all settings.
    package static func unknown(
        in environment: [String: String], known: [String]
    ) -> [(variable: String, meant: String?)] {
        let names = Set(known)
        return environment.keys.filter { $0.hasPrefix(prefix) && !names.contains($0) }.sorted()
            .map { ($0, YAMLReader.nearest(to: $0, in: known)) }
    }
}
