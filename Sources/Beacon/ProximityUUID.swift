/// The 128-bit UUID of an iBeacon: the first and widest of the three parts of its identity.
///
/// Most significant octet first, as it is sent on the air
/// (Apple, "Proximity Beacon Specification", release R1, section 2).
public struct ProximityUUID: Hashable, Sendable, Comparable {
    // Two halves, not a UInt128: its alignment of 16 octets would make every identity, sighting and track larger, and
    // Swift 6.3 copies optional values that hold one wrongly in debug builds.
    @usableFromInline var high: UInt64
    @usableFromInline var low: UInt64

    /// As one integer.
    package var value: UInt128 { UInt128(high) << 64 | UInt128(low) }

    package init(_ value: UInt128) {
        high = UInt64(truncatingIfNeeded: value >> 64)
        low = UInt64(truncatingIfNeeded: value)
    }

    /// Reads 32 hexadecimal digits in either case, with or without the dashes of RFC 9562.
    /// Returns nil for anything else.
    package init?(_ text: some StringProtocol) {
        var value: UInt128 = 0
        var digits = 0
        for (position, character) in text.utf8.enumerated() {
            if character == UInt8(ascii: "-") {
                // Dashes only where RFC 9562 has them, all four or none: checked by the length below.
                guard position == 8 || position == 13 || position == 18 || position == 23 else { return nil }
                continue
            }
            guard let digit = hexDigit(character), digits < 32 else { return nil }
            value = value << 4 | UInt128(digit)
            digits += 1
        }
        let length = text.utf8.count
        guard digits == 32, length == 32 || length == 36 else { return nil }
        self.init(value)
    }

    /// Reads 16 octets, most significant first. The caller has checked that they are there.
    @inlinable
    init(bytes: RawSpan, at offset: Int) {
        high = bytes.bigEndian64(at: offset)
        low = bytes.bigEndian64(at: offset + 8)
    }

    /// The octet at `index` (0 is the most significant, the first on the air).
    @inlinable
    public func octet(at index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: index < 8 ? high >> UInt64(56 - 8 * index) : low >> UInt64(120 - 8 * index))
    }

    /// 32 bits: word 0 is the most significant, the first on the air.
    @inlinable
    public func word(_ index: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (index < 2 ? high : low) >> (index & 1 == 0 ? 32 : 0))
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ProximityUUID: LosslessStringConvertible {
    public init?(_ description: String) {
        self.init(description[...])
    }

    /// Lower case with dashes: the form of JSON, CSV and paths.
    public var description: String {
        text(digits: lowercaseDigits)
    }

    /// Upper case with dashes: the form that people read in tables and in Apple's documents.
    package var uppercased: String {
        text(digits: uppercaseDigits)
    }

    private func text(digits: StaticString) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let octet = octet(at: index)
                buffer[position] = digits.utf8Start[Int(octet >> 4)]
                buffer[position + 1] = digits.utf8Start[Int(octet & 15)]
                position += 2
            }
            return position
        }
    }
}

private let lowercaseDigits: StaticString = "0123456789abcdef"
private let uppercaseDigits: StaticString = "0123456789ABCDEF"

/// The value of one ASCII hexadecimal digit, or nil.
@inlinable
package func hexDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}
