import Beacon

/// Reads bytes that people or other programs wrote in hex.
enum HexBytes {
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// Reads digits in upper or lower case. Spaces, tabs, colons and carriage returns between them are ignored.
    static func parse(_ text: String) -> Result<[UInt8], Problem> {
        var bytes: [UInt8] = []
        var high: UInt8?
        for (position, character) in text.unicodeScalars.enumerated() {
            // Some editors write a mark of the byte order before the first character.
            if " \t:\r".unicodeScalars.contains(character) || position == 0 && character == "\u{FEFF}" { continue }
            guard character.isASCII, let digit = hexDigit(UInt8(character.value)) else {
                return .failure(
                    Problem(description: "\"\(character)\" at position \(position + 1) is no hexadecimal digit"))
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else {
            return .failure(Problem(description: "an odd number of digits: \(bytes.count * 2 + 1)"))
        }
        return .success(bytes)
    }
}
