// Settings that are read further than their text.
extension Values {
    /// What `read` makes of a setting; nil, with the problem noted, where it throws.
    mutating func reading<Value>(_ key: ConfigurationKey, _ read: () throws -> Value) -> Value? {
        do {
            return try read()
        } catch {
            problems.append("\(place(key)): \(error)")
            return nil
        }
    }

    /// The same for every entry of a list; empty where the setting is missing.
    mutating func each<Value>(_ key: ConfigurationKey, _ read: (String) throws -> Value) -> [Value] {
        (texts(key) ?? []).compactMap { text in reading(key) { try read(text) } }
    }

    /// The first word of the file that a setting names, or else what a service gets with
    /// `LoadCredential=NAME:PATH` (systemd.exec(5)); nil where there is neither.
    mutating func secret(_ key: ConfigurationKey, credential: String) -> String? {
        let path: String
        let mayBeMissing: Bool
        if let file = text(key) {
            (path, mayBeMissing) = (file, false)
        } else if let folder = environment["CREDENTIALS_DIRECTORY"] {
            (path, mayBeMissing) = ("\(folder)/\(credential)", true)
        } else {
            return nil
        }
        return reading(key) {
            let text = try DaemonConfiguration.text(of: path, mayBeMissing: mayBeMissing)
            return text.map { String($0.prefix { !$0.isWhitespace }) }
        } ?? nil
    }
}
