/// The lines of a text without their ends, which are LF or CR LF. To Swift, CR LF is one character, and no LF.
package func textLines(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
}
