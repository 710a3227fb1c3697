import YAMLText

// Settings that name files.
extension SettingsReader {
    /// The path of a PEM file that a setting names, which must be there and hold what it is for.
    ///
    /// - Parameter content: what the text between its dashes ends with: `CERTIFICATE`, `PRIVATE KEY`.
    package mutating func pemFile(_ path: KeyPath<SettingValues, String?>, holding content: String) -> String? {
        guard let file = values[keyPath: path] else { return nil }
        guard let text = reading(path, { try DocumentFile.protectedText(of: file, limit: 16 << 20) }) ?? nil else {
            return file
        }
        if !text.contains("\(content)-----") {
            complain(path, "\(file) holds no \(content.lowercased()) in PEM form (-----BEGIN \(content)-----)")
        }
        return file
    }

    /// The secret in the file that a setting names, or else what a service gets with `LoadCredential=NAME:PATH`
    /// (systemd.exec(5)); nil where there is neither. What is no good secret is noted.
    package mutating func secret(_ path: KeyPath<SettingValues, String?>, credential: String) -> String? {
        if let file = values[keyPath: path] {
            guard let secret = reading(path, { try SecretFile.read(file) }) ?? nil else { return nil }
            if FileFacts.isOpenToOthers(file) { warn(path, SecretFile.openness(file)) }
            return secret
        }
        guard let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
        do throws(DocumentError) {
            return try SecretFile.read("\(folder)/\(credential)", mayBeMissing: true)
        } catch {
            mistakes += error.issues.map { SettingMistake(.name(error.file), $0.message) }
            return nil
        }
    }
}
