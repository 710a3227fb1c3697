/// An angle in degrees, optionally with minutes and seconds, and with a sign or the letter of a direction.
struct Angle {
    var degrees: Double
    /// According to its letter: N and S are latitudes, E and W are longitudes. Nil without a letter.
    var isLongitude: Bool?

    /// Nil for anything else.
    init?(_ text: Substring) {
        var rest = String(text).trimmed.uppercased()[...]
        let letters = rest.filter { "NSEW".contains($0) }
        guard letters.count <= 1 else { return nil }
        if let letter = letters.first {
            if rest.first == letter {
                rest.removeFirst()
            } else if rest.last == letter {
                rest.removeLast()
            } else {
                return nil
            }
            isLongitude = letter == "E" || letter == "W"
        }
        rest = String(rest).trimmed[...]
        var isNegative = letters == "S" || letters == "W"
        if let sign = rest.first, sign == "-" || sign == "+" {
            guard letters.isEmpty else { return nil }
            isNegative = sign == "-"
            rest.removeFirst()
        }
        guard let value = Self.value(of: rest) else { return nil }
        degrees = isNegative ? -value : value
    }

    /// Reads degrees, minutes and seconds. Only the last of them may have decimals.
    private static func value(of text: Substring) -> Double? {
        var rest = text
        var total = 0.0
        var part = 1.0
        for sign in ["°", "'", "\""] as [Character] {
            let digits = rest.prefix { $0 != sign && $0 != " " }
            guard let number = decimal(digits), part == 1 || number < 60 else { return nil }
            total += number / part
            rest = rest[digits.endIndex...]
            if rest.first == " " { rest = rest.drop { $0 == " " } }
            if rest.first == sign { rest.removeFirst() }
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { return total }
            guard digits.utf8.allSatisfy(isDigit) else { return nil }
            part *= 60
        }
        return nil
    }

    /// Reads digits with a dot or a comma; at most 15 digits on each side.
    private static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ (1...15).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) })
        else { return nil }
        return Double(parts.joined(separator: "."))
    }
}
