/// One page: up to 255 segments of a stream's packets.
struct OggPage {
    let range: Range<Int64>
    let content: Range<Int64>
    let isFirst: Bool
    let serial: UInt64
    let segments: [UInt8]

    /// - Throws: `.damaged` if it is not a page or its checksum is wrong.
    init(at start: Int64, _ file: inout FileReader) throws(MediaError) {
        let head = Array(try file.octets(at: start, 27))
        guard head.has("OggS"), head[4] == 0 else { throw MediaError(damaged: "a page is wrong") }
        isFirst = head[5] & 2 != 0
        serial = head[14..<18].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        segments = Array(try file.octets(at: start + 27, Int(head[26])))
        let begin = start + 27 + Int64(segments.count)
        content = begin..<begin + segments.reduce(0) { $0 + Int64($1) }
        range = start..<content.upperBound
        let octets = Array(try file.octets(at: start, range.count))
        guard Self.checksum(octets) == octets[22..<26].reversed().reduce(0, { $0 << 8 | UInt32($1) }) else {
            throw MediaError(damaged: "a page's checksum is wrong")
        }
    }

    /// The checksum of a page. Its four checksum octets count as zeros.
    static func checksum(_ page: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for (index, octet) in page.enumerated() {
            let octet = (22..<26).contains(index) ? 0 : octet
            sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ octet)]
        }
        return sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum << 1 ^ (sum & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
    }
}
