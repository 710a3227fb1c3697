import YAMLText

/// Reads secrets, which are tokens and passwords. Nothing else does.
enum SecretFile {
    /// Characters that a secret has at least: fewer can be guessed.
    static let shortest = 8

    /// The first line of a file, without blanks at its ends; nil where the file may be missing and is.
    ///
    /// - Throws: where it cannot be read, is too short to keep anybody out, or has a zero octet. No message shows any
    ///   of it.
    static func read(_ path: String, mayBeMissing: Bool = false) throws(DocumentError) -> String? {
        guard let text = try DocumentFile.protectedText(of: path, limit: 1 << 20, mayBeMissing: mayBeMissing) else {
            return nil
        }
        let secret = String(text.prefix { !$0.isNewline }).trimmed
        if let fault = fault(of: secret) {
            throw DocumentError(
                file: path,
                issues: [.init("holds no secret: \(fault); openssl rand -hex 16 makes a good one")])
        }
        return secret
    }

    /// Why a text is no secret; nil if it is one. It shows nothing of it.
    private static func fault(of text: String) -> String? {
        // Libraries in C would take what is before the zero for the whole.
        if text.utf8.contains(0) { return "its first line has a zero octet, as in a file that is not UTF-8" }
        guard text.count < shortest else { return nil }
        let what = text.isEmpty ? "its first line is empty" : "its first line has \(text.count) characters"
        return "\(what), and at least \(shortest) are needed"
    }

    static func openness(_ path: String) -> String {
        "everybody on this computer can read the secret in \(path); chmod o-r \(path)"
    }
}
