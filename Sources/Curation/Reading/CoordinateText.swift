internal import Text

/// Coordinates in the forms that people write and copy.
package enum CoordinateText {
    /// Reads `48.2082, 16.3738`, `48,2082 16,3738`, `48.2082° N, 16.3738° E`, `48°12'29.5"N 16°22'25.7"E` and `geo:`
    /// addresses. Without letters, the latitude comes first.
    ///
    /// - Throws: `notCoordinates`, `latitudeOutOfRange` or `longitudeOutOfRange`.
    package static func read(_ text: String) throws(Problem) -> Coordinates {
        guard let (first, second) = angles(plain(text)) else { throw Problem(.notCoordinates) }
        let isSwapped = first.isLongitude == true || second.isLongitude == false
        guard first.isLongitude == nil || second.isLongitude == nil || first.isLongitude != second.isLongitude else {
            throw Problem(.notCoordinates)
        }
        let (latitude, longitude) = isSwapped ? (second.degrees, first.degrees) : (first.degrees, second.degrees)
        guard abs(latitude) <= 90 else { throw Problem(.latitudeOutOfRange) }
        guard abs(longitude) <= 180 else { throw Problem(.longitudeOutOfRange) }
        return Coordinates(latitude: rounded(latitude), longitude: rounded(longitude))
    }

    /// `48.2082,16.3738`, with as many decimals as needed, at most seven.
    package static func text(_ place: Coordinates) -> String {
        "\(text(place.latitude)),\(text(place.longitude))"
    }

    private static func text(_ degrees: Double) -> String {
        var text = fixed(degrees, digits: 7)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// Rounds to seven decimals, which are about a centimetre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }

    /// Whether the text has digits and otherwise only the characters of coordinates, unlike a place's name such as
    /// `Stephansplatz 3`.
    package static func looksLikeCoordinates(_ text: String) -> Bool {
        let text = plain(text)
        guard text.utf8.contains(where: isDigit), text.utf8.count(where: isLetter) <= 2 else { return false }
        return text.allSatisfy { "0123456789+-.,;°'\"NSEWnsew ".contains($0) } && angles(text, isLoose: true) != nil
    }

    /// The text with one character for each kind of sign, and without `geo:`.
    private static func plain(_ text: String) -> String {
        var text = text.tidiedValue
        if text.lowercased().hasPrefix("geo:") { text = String(text.dropFirst(4).prefix { $0 != ";" && $0 != "?" }) }
        return String(
            text.map { character in
                switch character {
                case "\u{2212}", "\u{2013}": "-"
                case "′", "’", "‘", "´": "'"
                case "″", "”", "“": "\""
                case "º", "˚": "°"
                default: character.isWhitespace ? " " : character
                }
            })
    }

    /// The two angles, divided at the first separator that leaves an angle on both sides.
    private static func angles(_ text: String, isLoose: Bool = false) -> (Angle, Angle)? {
        guard text.utf8.count <= 100 else { return nil }
        for (end, start) in separators(in: text) {
            if let first = Angle(text[..<end]), let second = Angle(text[start...]) { return (first, second) }
        }
        // A single number with a sign or decimals is a mistake in coordinates, not a place.
        guard isLoose, let only = Angle(text[...]), text.contains(where: { ".,°+-".contains($0) }) else { return nil }
        return (only, only)
    }

    /// The positions where the text may be divided: the end of the first half, and the start of the second.
    private static func separators(in text: String) -> [(String.Index, String.Index)] {
        var places: [(String.Index, String.Index)] = []
        func add(_ index: String.Index?) {
            if let index { places.append((index, text.index(after: index))) }
        }
        add(text.firstIndex(of: ";"))
        add(text.indices.first { text[$0] == "," && text[text.index(after: $0)...].first == " " })
        // With several blanks, the middle one: `48 12 30 16 22 30`.
        let blanks = text.indices.filter {
            $0 > text.startIndex && text[$0] == " " && text[text.index(before: $0)] != " "
        }
        if !blanks.count.isMultiple(of: 2) { add(blanks[blanks.count / 2]) }
        let commas = text.indices.filter { text[$0] == "," }
        if !commas.count.isMultiple(of: 2) { add(commas[commas.count / 2]) }
        // `48.2N16.3E`
        if let letter = text.firstIndex(where: { "NSEWnsew".contains($0) }) {
            let next = text.index(after: letter)
            places.append((next, next))
        }
        return places
    }
}
