/// Escapes text for HTML, SVG or XML, in elements and in quoted attributes, so that nothing in it is markup.
package func escapedMarkup(_ text: some Sequence<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in text {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "'": result += "&#39;"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

extension Unicode.Scalar {
    /// Whether XML 1.0 has this character (section 2.2, Char). It has no control characters but tab and line ends, and
    /// neither U+FFFE nor U+FFFF: no reference can stand for them.
    package var isXMLCharacter: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
