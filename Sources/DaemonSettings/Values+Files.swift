import Settings
import YAMLText

// Settings that name files.
extension Values {
    /// The path of a PEM file that a setting names, which must be there and hold what it is for.
    ///
    /// - Parameter content: what the text between its dashes ends with: `CERTIFICATE`, `PRIVATE KEY`.
    mutating func pemFile(_ key: ConfigurationKey, holding content: String) -> String? {
        guard let path = text(key) else { return nil }
        guard let text = reading(key, { try DocumentFile.text(of: path, limit: 16 << 20) }) ?? nil else { return path }
        if !text.contains("\(content)-----") {
            complain(key, "\(path) holds no \(content.lowercased()) in PEM form (-----BEGIN \(content)-----)")
        }
        return path
    }

    /// The secret in the file that a setting names, or else what a service gets with `LoadCredential=NAME:PATH`
    /// (systemd.exec(5)); nil where there is neither. What is no good secret is noted.
    mutating func secret(_ key: ConfigurationKey, credential: String) -> String? {
        if let path = text(key) {
            guard let secret = reading(key, { try SecretFile.read(path) }) ?? nil else { return nil }
            if FileFacts.isOpenToOthers(path) { warn(key, SecretFile.openness(path)) }
            return secret
        }
        guard let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
        do throws(DocumentError) {
            return try SecretFile.read("\(folder)/\(credential)", mayBeMissing: true)
        } catch {
            for issue in error.issues { complain(of: error.file, issue.message) }
            return nil
        }
    }
}

/// Reads secrets, which are tokens and passwords. Nothing else does.
enum SecretFile {
    /// Characters that a secret has at least: fewer can be guessed.
    static let shortest = 8

    /// The first line of a file, without blanks at its ends; nil where the file may be missing and is.
    ///
    /// Throws where it cannot be read, or is too short to keep anybody out. No message shows any of it.
    static func read(_ path: String, mayBeMissing: Bool = false) throws(DocumentError) -> String? {
        guard let text = try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: mayBeMissing) else { return nil }
        let secret = String(text.prefix { !$0.isNewline }).trimmed
        guard secret.count >= shortest else {
            let what = secret.isEmpty ? "its first line is empty" : "its first line has \(secret.count) characters"
            throw DocumentError(
                file: path,
                issues: [
                    .init(
                        "holds no secret: \(what), and at least \(shortest) are needed; "
                            + "openssl rand -hex 16 makes a good one")
                ])
        }
        return secret
    }

    static func openness(_ path: String) -> String {
        "everybody on this computer can read the secret in \(path); chmod o-r \(path)"
    }
}
