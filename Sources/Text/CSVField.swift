/// A text as a field of CSV (RFC 4180): quoted where a separator or a quote is inside.
///
/// What a spreadsheet would take for a formula (it begins with `=`, `+`, `-` or `@`) gets an apostrophe before it,
/// which the reader of observation CSV takes off again. Numbers are written without this function and stay numbers.
package func csvField(_ text: String) -> String {
    let text = printable(text)
    let field = isFormula(text.drop { $0 == "'" }) ? "'" + text : text
    guard field.contains(where: { ",\"".contains($0) }) else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}

/// The wide forms are the same to some spreadsheets.
private func isFormula(_ text: Substring) -> Bool {
    text.unicodeScalars.first.map { "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0) } ?? false
}
