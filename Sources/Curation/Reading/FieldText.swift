package import Beacon

/// Reads values from form fields and table columns. An empty text is no value and gives nil.
package enum FieldText {
    package static func uuid(_ text: String) throws(Problem) -> ProximityUUID? {
        let text = text.tidiedValue
        guard !text.isEmpty else { return nil }
        guard let uuid = ProximityUUID(text) else { throw Problem(.notUUID) }
        return uuid
    }

    /// A beacon's major or minor.
    package static func number(_ text: String) throws(Problem) -> UInt16? {
        try whole(text, in: 0...65535).map { UInt16($0) }
    }

    package static func whole(_ text: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let text = text.tidiedValue
        guard !text.isEmpty else { return nil }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { throw Problem(.notWholeNumber) }
        guard let value = Int(text), range.contains(value) else {
            throw Problem(.outOfRange, "\(range.lowerBound)", "\(range.upperBound)")
        }
        return value
    }

    /// Reads a number with a dot or a comma.
    package static func decimal(_ text: String) throws(Problem) -> Double? {
        let text = text.tidiedValue
        guard !text.isEmpty else { return nil }
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(omittingEmptySubsequences: false) { ".,".contains($0) }
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ (1...15).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }),
            let value = Double(parts.joined(separator: "."))
        else { throw Problem(.notNumber) }
        return isNegative ? -value : value
    }

    /// A number in a form that `decimal` reads: `12` instead of `12.0`.
    package static func text(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    package static func coordinates(_ text: String) throws(Problem) -> Coordinates? {
        text.tidiedValue.isEmpty ? nil : try CoordinateText.read(text)
    }

    package static func language(_ text: String) throws(Problem) -> Language? {
        let text = text.tidiedValue
        guard !text.isEmpty else { return nil }
        guard let language = Language(text) else { throw Problem(.notLanguage) }
        return language
    }

    /// Reads RFC 3339, or the form of a browser's field without a zone (`2026-05-01T10:00`), which counts as UTC. A
    /// date alone means its start.
    package static func moment(_ text: String) throws(Problem) -> Moment? {
        var text = text.tidiedValue
        guard !text.isEmpty else { return nil }
        if let moment = Moment(text) { return moment }
        if let blank = text.firstIndex(of: " ") { text.replaceSubrange(blank...blank, with: "T") }
        if !text.contains("T") { text += "T00:00" }
        if text.count(where: { $0 == ":" }) == 1 { text += ":00" }
        guard let moment = Moment(text + "Z") else { throw Problem(.notTime) }
        return moment
    }

    package static func choice<Choice: RawRepresentable<String>>(
        _ text: String, _ type: Choice.Type = Choice.self
    ) throws(Problem) -> Choice {
        guard let choice = Choice(rawValue: text.tidiedValue) else { throw Problem(.notAChoice, text.tidiedValue) }
        return choice
    }
}
