/// Whether a text has the form of a language tag (BCP 47), as far as sites need it: a language of two or three letters,
/// optional subtags of letters and digits, and at most 35 characters (RFC 5646, 4.4.1).
package func isLanguageTag(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, let first = parts.first, (2...3).contains(first.count) else { return false }
    return first.allSatisfy { isLetterOrDigit($0) && $0 > UInt8(ascii: "9") }
        && parts.dropFirst().allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(isLetterOrDigit) }
}
