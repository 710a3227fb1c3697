package import YAMLText

extension Scenario {
    /// Reads a scenario from YAML.
    ///
    /// - Parameter file: the file's name in errors.
    /// - Throws: every problem that was found, with its line and column.
    package init(yaml: String, file: String) throws(DocumentError) {
        var reader = YAMLReader()
        let document = reader.document(yaml)
        let scenario = reader.issues.isEmpty ? reader.scenario(document) : nil
        guard let scenario, reader.issues.isEmpty else {
            throw DocumentError(file: file, issues: reader.issues)
        }
        self = scenario
    }

    /// Reads a scenario from a YAML file of at most 4 MiB.
    ///
    /// - Throws: why the file cannot be read, or every problem in it.
    package init(path: String) throws(DocumentError) {
        try self.init(yaml: try DocumentFile.text(of: path) ?? "", file: path)
    }
}
