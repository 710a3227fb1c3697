/// A value for each language. In JSON it is an object: `{"de": "Wal", "en": "Whale"}`.
///
/// A language without a value has no entry. `tidied` removes empty texts.
package struct Localized<Value: Hashable & Sendable & Codable>: Hashable, Sendable {
    package var values: [Language: Value]

    package init(_ values: [Language: Value] = [:]) {
        self.values = values
    }

    package init(_ value: Value, in language: Language) {
        values = [language: value]
    }

    package subscript(language: Language) -> Value? {
        get { values[language] }
        set { values[language] = newValue }
    }

    package var isEmpty: Bool { values.isEmpty }

    /// The value in the first of these languages that has one; nil if none has.
    package func resolved(_ order: [Language]) -> Value? {
        for language in order {
            if let value = values[language] { return value }
        }
        return nil
    }

    /// The same, but if none of these languages has a value, the value in any other language.
    package func any(_ order: [Language]) -> Value? {
        resolved(order) ?? values.min { $0.key < $1.key }?.value
    }
}

extension Localized: Codable {
    package init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([Language: Value].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}

package typealias LocalizedText = Localized<String>

extension Localized where Value == String {
    /// The text without entries that are empty or only white space.
    package var tidied: Self {
        Localized(values.filter { !$0.value.allSatisfy(\.isWhitespace) })
    }
}
