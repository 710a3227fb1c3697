package import Beacon
package import YAMLText

/// The types of values that only scenarios and scenes have.
extension YAMLReader {
    /// A duration, written as a number of `unit`s.
    package mutating func duration(
        _ node: Node?, _ key: String, _ range: ClosedRange<Double>, unit: Duration = .seconds(1)
    ) -> Duration? {
        number(node, key, range).map { .microseconds(Int64(($0 * Double(unit.microseconds)).rounded())) }
    }

    package mutating func position(_ node: Node?, _ key: String = "position") -> Position? {
        guard let node else { return nil }
        guard case .sequence(let sequence) = node, (2...3).contains(sequence.count) else {
            complain(node, "\(key) must be two or three numbers in metres, as in [5.5, 1.2]")
            return nil
        }
        let numbers = sequence.map { number($0, key, -10_000...10_000) }
        guard let x = numbers[0], let y = numbers[1] else { return nil }
        guard numbers.count == 3 else { return Position(x, y) }
        return numbers[2].map { Position(x, y, $0) }
    }

    /// 32 hexadecimal digits, with or without dashes.
    package mutating func uuid(_ node: Node?) -> ProximityUUID? {
        guard let node, let text = text(node, "uuid") else { return nil }
        guard let uuid = ProximityUUID(text) else {
            complain(node, "uuid is '\(text)': 32 hexadecimal digits are needed, with or without dashes")
            return nil
        }
        return uuid
    }

    /// Pairs of hexadecimal digits; spaces and colons are ignored.
    package mutating func octets(_ node: Node?, _ key: String, atMost limit: Int) -> [UInt8]? {
        guard let node, let text = text(node, key) else { return nil }
        let characters = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ":") }
        let digits = characters.compactMap(hexDigit)
        guard digits.count == characters.count, digits.count % 2 == 0 else {
            complain(node, "\(key) is '\(text)': pairs of hexadecimal digits are needed, as in 02 01 1A")
            return nil
        }
        guard digits.count / 2 <= limit else {
            complain(node, "\(key) has \(digits.count / 2) octets: at most \(limit) are allowed")
            return nil
        }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
