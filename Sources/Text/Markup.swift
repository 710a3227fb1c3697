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
