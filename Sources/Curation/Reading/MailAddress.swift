/// Mail addresses.
package enum MailAddress {
    /// The address, without `mailto:` and invisible characters.
    ///
    /// This is stricter than RFC 5322: comments, quoted names and lists are refused. In a field for one address, they
    /// are mistakes.
    ///
    /// - Throws: `notMail`.
    package static func read(_ text: String) throws(Problem) -> String {
        var text = text.tidiedValue
        if text.lowercased().hasPrefix("mailto:") { text = String(text.dropFirst(7)) }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, isLocal(parts[0]), parts[1].contains("."), isHost(parts[1])
        else { throw Problem(.notMail) }
        return text
    }

    /// A dot-atom (RFC 5322, 3.2.3), with letters of other scripts (RFC 6531).
    private static func isLocal(_ text: Substring) -> Bool {
        guard (1...64).contains(text.utf8.count) else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty
                && atom.unicodeScalars.allSatisfy { scalar in
                    scalar.isASCII
                        ? isLetter(UInt8(scalar.value)) || isDigit(UInt8(scalar.value))
                            || "!#$%&'*+/=?^_`{|}~-".unicodeScalars.contains(scalar)
                        : scalar.properties.isAlphabetic
                }
        }
    }
}
