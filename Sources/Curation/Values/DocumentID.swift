/// The id of a document, and of a content within an image. The store chooses it, never a user.
///
/// It has 1 to 40 of the characters `a`–`z`, `0`–`9` and `-`, so it can be used unescaped in paths, HTML and SQL.
package struct DocumentID: Hashable, Sendable, Comparable {
    package let text: String

    /// Nil for anything else.
    package init?(_ text: String) {
        guard (1...40).contains(text.utf8.count),
            text.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        self.text = text
    }

    /// A new id: 16 random letters and digits, 80 bits.
    package static func random(using generator: inout some RandomNumberGenerator) -> DocumentID {
        let digits = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        let text = (0..<16).map { _ in digits[Int.random(in: 0..<32, using: &generator)] }
        return DocumentID(known: String(decoding: text, as: UTF8.self))
    }

    package static func random() -> DocumentID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// The id of the only document with the site's settings.
    package static let site = DocumentID(known: "site")

    private init(known text: String) { self.text = text }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension DocumentID: CustomStringConvertible {
    package var description: String { text }
}

extension DocumentID: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = DocumentID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a name of 1 to 40 small letters, digits and dashes is needed")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
