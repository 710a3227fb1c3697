internal import SiteFormat

/// A language tag such as `de` or `pt-BR` (BCP 47), as far as the site needs it: a language of two or three letters,
/// with optional subtags of letters and digits. The case is kept as written, but ignored in comparisons.
package struct Language: Hashable, Sendable, Comparable {
    package let tag: String

    /// Nil for anything else, and for more than 35 characters (RFC 5646, 4.4.1).
    package init?(_ tag: String) {
        guard isLanguageTag(tag) else { return nil }
        self.tag = tag
    }

    package static let english = Language(known: "en")
    /// The language is not known yet (ISO 639-2).
    package static let undetermined = Language(known: "und")

    private init(known tag: String) { self.tag = tag }

    package static func == (left: Self, right: Self) -> Bool { left.tag.lowercased() == right.tag.lowercased() }
    package static func < (left: Self, right: Self) -> Bool { left.tag.lowercased() < right.tag.lowercased() }
    package func hash(into hasher: inout Hasher) { hasher.combine(tag.lowercased()) }
}

extension Language: CustomStringConvertible {
    package var description: String { tag }
}

extension Language: Codable, CodingKeyRepresentable {
    package var codingKey: any CodingKey { TagKey(stringValue: tag) }

    package init?<Key: CodingKey>(codingKey: Key) { self.init(codingKey.stringValue) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let language = Language(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a language tag such as de or pt-BR is needed")
        }
        self = language
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tag)
    }

    private struct TagKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
