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
    /// Throws everything that is wrong in it.
    package static func load(
        file path: String?, mayBeMissing: Bool = false, environment: [String: String]
    ) throws(ConfigurationError) -> RangingConfiguration {
        var text: String?
        if let path {
            do {
                text = try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: mayBeMissing)
            } catch {
                throw ConfigurationError(error.lines)
            }
        }
        return try parse(text ?? "", file: path ?? "", environment: environment)
    }

    /// The same of a text that was read.
    static func parse(
        _ text: String, file: String, environment: [String: String]
    ) throws(ConfigurationError) -> RangingConfiguration {
        var yaml = YAMLReader()
        var problems: [String] = []
        let groups = Self.groups(of: yaml.document(text))
        let site = RangingConfiguration(groups, environment: environment, yaml: &yaml, problems: &problems)
        if !yaml.issues.isEmpty {
            problems = DocumentError(file: file, issues: yaml.issues).lines + problems
        }
        let known = RangingSetting.all.map(\.variable)
        for (variable, meant) in BeacondVariables.unknown(in: environment, known: known) {
            guard let meant else { continue }
            problems.append("\(variable): there is no such setting; did you mean \(meant)?")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        return site
    }

    /// What stands below each of the keys that belong to ranging.
    private static func groups(of root: Node?) -> [String: Node] {
        var found: [String: Node] = [:]
        guard let mapping = root?.mapping else { return found }
        for (key, value) in mapping {
            if let name = key.scalar?.string, groups.contains(name) { found[name] = value }
        }
        return found
    }
}
