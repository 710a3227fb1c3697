import YAMLText

extension RangingConfiguration {
    /// The configuration that is read where none is named.
    package static let defaultFile = "/etc/beacond/beacond.yaml"

    /// Reads what a configuration says about ranging, and leaves the rest of it to the daemon.
    ///
    /// - Parameters:
    ///   - path: nil for no file.
    ///   - mayBeMissing: a file that is not there is an empty one.
    ///   - environment: variables by name; those that begin with `BEACOND_RANGING_` count.
    /// - Throws: everything that is wrong in it.
    package static func load(
        file path: String?, mayBeMissing: Bool = false, environment: [String: String]
    ) throws(ConfigurationError) -> RangingConfiguration {
        var text: String?
        if let path {
            do {
                text = try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: mayBeMissing)
            } catch {
                throw ConfigurationError(error.mistakes)
            }
        }
        return try parse(text ?? "", file: path ?? "", environment: environment)
    }

    /// The same of a text that was read.
    static func parse(
        _ text: String, file: String, environment: [String: String]
    ) throws(ConfigurationError) -> RangingConfiguration {
        let reader = SettingsReader(text, file: file, environment: environment, scope: .ranging)
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
        return reader.values.ranging
    }
}
