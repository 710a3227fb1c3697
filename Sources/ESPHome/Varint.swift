/// Variable-length numbers: seven bits in each octet, the least significant first.
package enum Varint {
    /// The length of the longest number, in octets.
    package static let longest = 10

    /// Nil if the number is incomplete, or longer than 64 bits.
    package static func read(_ octets: ArraySlice<UInt8>, at position: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<longest {
            guard position < octets.endIndex else { return nil }
            let octet = octets[position]
            position += 1
            guard index < longest - 1 || octet <= 1 else { return nil }
            value |= UInt64(octet & 0x7F) << UInt64(7 * index)
            if octet & 0x80 == 0 { return value }
        }
        return nil
    }

    package static func octets(_ value: UInt64) -> [UInt8] {
        var (rest, octets) = (value, [UInt8]())
        while rest > 0x7F {
            octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return octets + [UInt8(truncatingIfNeeded: rest)]
    }

    /// A signed number in zigzag encoding (sint32).
    package static func zigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
