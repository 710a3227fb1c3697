internal import Crypto

/// A SHA-256 hash. Text is accepted only if it has 64 hexadecimal digits.
///
/// Names of asset files and URLs are made only from this type, so text from the network never becomes a path.
package struct AssetHash: Hashable, Sendable, Comparable {
    // Numbers instead of text, because a large site has tens of thousands of them in memory.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Reads 64 hexadecimal digits in either case; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 64 else { return nil }
        for (index, character) in text.utf8.enumerated() {
            guard let digit = digitValue(character) else { return nil }
            append(digit, bits: 4, to: index / 16)
        }
    }

    package init(sha256 digest: some Sequence<UInt8>) {
        for (index, octet) in digest.enumerated() { append(octet, bits: 8, to: index / 8) }
    }

    /// The hash of `bytes`.
    package init(of bytes: [UInt8]) {
        self.init(sha256: SHA256.hash(data: bytes))
    }

    private mutating func append(_ value: UInt8, bits: UInt64, to word: Int) {
        switch word {
        case 0: words.0 = words.0 << bits | UInt64(value)
        case 1: words.1 = words.1 << bits | UInt64(value)
        case 2: words.2 = words.2 << bits | UInt64(value)
        default: words.3 = words.3 << bits | UInt64(value)
        }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.words == right.words
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.words < right.words
    }

    package func hash(into hasher: inout Hasher) {
        // All of them: a manifest only claims its hashes, so many can begin in the same way.
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension AssetHash: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package var description: String {
        String(unsafeUninitializedCapacity: 64) { text in
            for index in 0..<64 {
                let word = index < 16 ? words.0 : index < 32 ? words.1 : index < 48 ? words.2 : words.3
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4)) & 15
                text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 64
        }
    }
}

/// The value of a hexadecimal digit; nil for any other character.
package func digitValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}
