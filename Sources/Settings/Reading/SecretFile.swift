import YAMLText

/// Reads secrets, which are tokens and passwords. Nothing else does.
enum SecretFile {
    /// Characters that a secret has at least: fewer can be guessed.
    static let shortest = 8

    /// The first line of a file, without blanks at its ends; nil where the file may be missing and is.
    ///
    /// - Throws: where it cannot be read, or is too short to keep anybody out. No message shows any of it.
    static func read(_ path: String, mayBeMissing: Bool = false) throws(DocumentError) -> String? {
        guard let text = try DocumentFile.protectedText(of: path, limit: 1 << 20, mayBeMissing: mayBeMissing) else {
            return nil
        }
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
