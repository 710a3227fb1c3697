import Beacon

/// The checksum of link-layer frames (Core Specification Vol 6, Part B, 3.1.1), as advertising uses it.
///
/// The polynomial is x²⁴ + x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1. Each octet is sent with its lowest bit first. Therefore the
/// polynomial and the register are written here with their bits reversed. The result is compared with the last three
/// octets of the frame, read as a little-endian number.
enum CRC24 {
    /// 0x555555 on advertising channels, reversed.
    private static let start: UInt32 = 0xAAAAAA
    private static let polynomial: UInt32 = 0xDA6000

    private static let table: [UInt32] = (0..<256).map { octet in
        (0..<8).reduce(UInt32(octet)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ polynomial }
    }

    /// The checksum of a PDU, header and payload.
    static func checksum(_ bytes: RawSpan, in range: Range<Int>) -> UInt32 {
        var register = start
        for offset in range {
            register = register >> 8 ^ table[Int((register ^ UInt32(bytes.octet(at: offset))) & 0xFF)]
        }
        return register
    }
}
