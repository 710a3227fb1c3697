/// A text as a field of CSV (RFC 4180): quoted if it contains a separator or a quote.
///
/// A text that a spreadsheet would read as a formula (it begins with `=`, `+`, `-` or `@`) gets an apostrophe before
/// it, which the reader of observation CSV removes. Numbers are written without this function and stay numbers.
package func csvField(_ text: String) -> String {
    let text = printable(text)
    let field = isFormula(text.drop { $0 == "'" }) ? "'" + text : text
    // By scalars: a comma with an accent on it separates fields too.
    guard field.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" }) else { return field }
    return "\"" + doubledQuotes(field) + "\""
}

/// The text with each quotation mark doubled, as in a quoted field.
package func doubledQuotes(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }))
}

/// Some spreadsheets also accept the full-width forms.
private func isFormula(_ text: Substring) -> Bool {
    text.unicodeScalars.first.map { "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0) } ?? false
}
