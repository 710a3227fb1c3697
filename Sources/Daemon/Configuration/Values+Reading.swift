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

    /// The first line of the file that a setting names, or else of what a service gets with
    /// `LoadCredential=NAME:PATH` (systemd.exec(5)), without blanks at its ends; nil where there is neither.
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
            try DaemonConfiguration.text(of: path, mayBeMissing: mayBeMissing).map(Self.firstLine)
        } ?? nil
    }

    private static func firstLine(_ text: String) -> String {
        let line = text.prefix { !$0.isNewline }.drop(while: \.isWhitespace)
        return line.lastIndex { !$0.isWhitespace }.map { String(line[...$0]) } ?? ""
    }
}
