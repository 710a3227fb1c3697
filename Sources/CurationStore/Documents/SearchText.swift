import Foundation

/// Text in the form in which it is searched and sorted, without case and diacritics. Letters that are typed alike are
/// equal.
package enum SearchText {
    /// The most characters of one document that are searched.
    static let longest = 20_000

    package static func folded(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in String(text.prefix(longest)).lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars
        {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .control: continue
            case .spaceSeparator, .lineSeparator, .paragraphSeparator: result += " "
            case .decimalNumber:
                // Also Arabic, Persian and other digits.
                if let value = scalar.properties.numericValue { result += String(Int(value)) }
            default:
                if scalar == "\u{640}" { continue }  // Arabic's lengthening stroke
                if let same = alike[scalar] { result += same } else { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// The words of a query, at most 10.
    static func words(_ query: String) -> [String] {
        folded(query.prefix(500)).split(separator: " ").prefix(10).map(String.init)
    }

    /// Letters that have no decomposition in Unicode, but are typed as others.
    private static let alike: [Unicode.Scalar: String] = [
        "đ": "d", "ð": "d", "ł": "l", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ħ": "h",
        "\u{649}": "\u{64A}",  // Arabic alef maksura as yeh
        "\u{6CC}": "\u{64A}",  // Persian yeh
        "\u{6A9}": "\u{643}",  // Persian kaf
        "\u{629}": "\u{647}",  // Arabic teh marbuta as heh
        "\u{671}": "\u{627}",  // Arabic alef wasla
    ]
}
