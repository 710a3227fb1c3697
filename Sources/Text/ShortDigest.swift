/// FNV-1a with 64 bits (G. Fowler, L. Noll, K.-P. Vo: RFC 9923). It distinguishes texts or files, but without security.
package struct FNV1a: Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ octet: UInt8) { value = (value ^ UInt64(octet)) &* 0x100_0000_01B3 }

    package mutating func add(_ octets: some Sequence<UInt8>) {
        for octet in octets { add(octet) }
    }

    /// Its octets, the most significant first.
    package mutating func add(_ number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            add(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Sixteen hexadecimal digits or fewer.
    package var digest: String { String(value, radix: 16) }
}

/// Sixteen hexadecimal digits or fewer that distinguish texts or files, but without security: `FNV1a`.
package func shortDigest(_ octets: some Sequence<UInt8>) -> String {
    var hash = FNV1a()
    hash.add(octets)
    return hash.digest
}
