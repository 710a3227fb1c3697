/// PNG files made here: pixels in blocks of deflate that are not compressed.
struct PNGMaker {
    var width = 16
    var height = 16
    /// Chunks before the pixels, and before the end.
    var before: [(String, [UInt8])] = []
    var after: [(String, [UInt8])] = []
    /// The red, green and blue of a pixel.
    var color: (_ x: Int, _ y: Int) -> [UInt8] = { x, y in
        [UInt8(truncatingIfNeeded: x * 9), UInt8(truncatingIfNeeded: y * 7), UInt8(truncatingIfNeeded: x ^ y)]
    }

    var octets: [UInt8] {
        var pixels: [UInt8] = []
        for y in 0..<height {
            pixels.append(0)
            for x in 0..<width { pixels += color(x, y) }
        }
        let header = Self.big(UInt32(width)) + Self.big(UInt32(height)) + [8, 2, 0, 0, 0]
        let chunks = [("IHDR", header)] + before + [("IDAT", Self.stored(pixels))] + after + [("IEND", [])]
        return Self.signature + chunks.flatMap { Self.chunk($0.0, $0.1) }
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A header that claims a size, and pixels that are not there.
    static func claiming(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        signature + chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0]) + chunk("IDAT", stored([0]))
            + chunk("IEND", [])
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(UInt32(content.count)) + Array(type.utf8) + content + big(crc(Array(type.utf8) + content))
    }

    /// zlib's format without compression.
    static func stored(_ octets: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = octets[...]
        repeat {
            let part = rest.prefix(65_535)
            rest = rest.dropFirst(part.count)
            let length = UInt16(part.count)
            result += [rest.isEmpty ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
            result += [UInt8(~length & 255), UInt8(~length >> 8)] + part
        } while !rest.isEmpty
        var (a, b): (UInt32, UInt32) = (1, 0)
        for octet in octets {
            a = (a + UInt32(octet)) % 65_521
            b = (b + a) % 65_521
        }
        return result + big(b << 16 | a)
    }

    static func big(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }

    private static func crc(_ octets: [UInt8]) -> UInt32 {
        ~octets.reduce(~0) { sum, octet in sum >> 8 ^ table[Int((sum ^ UInt32(octet)) & 255)] }
    }
}
