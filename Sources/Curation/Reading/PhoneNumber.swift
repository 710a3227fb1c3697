/// Telephone numbers.
package enum PhoneNumber {
    /// The number with its digits and an optional plus in front: `+43 (0)1 234-567` gives `+431234567`.
    ///
    /// - Throws: `notPhone` for anything that is not 3 to 15 digits (ITU-T E.164, 6).
    package static func read(_ text: String) throws(Problem) -> String {
        var rest = text.tidiedValue[...]
        if rest.lowercased().hasPrefix("tel:") { rest = rest.dropFirst(4) }
        var number = ""
        while let character = rest.first {
            // This zero is dialled only within the country.
            if number.hasPrefix("+"), rest.hasPrefix("(0)") {
                rest = rest.dropFirst(3)
                continue
            }
            switch character {
            case "0"..."9": number.append(character)
            case "+" where number.isEmpty: number.append(character)
            case " ", "-", "/", ".", "(", ")", "\u{A0}", "\u{2009}", "\u{202F}", "\u{2010}"..."\u{2013}": break
            default: throw Problem(.notPhone)
            }
            rest = rest.dropFirst()
        }
        let digits = number.hasPrefix("+") ? number.dropFirst() : number[...]
        guard (3...15).contains(digits.count), digits.utf8.allSatisfy(isDigit) else { throw Problem(.notPhone) }
        return number
    }
}
