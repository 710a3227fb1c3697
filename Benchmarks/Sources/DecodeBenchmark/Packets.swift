import Beacon
import Glibc
import HCI

/// The packets of a capture, in memory.
struct Packets {
    private let bytes: [UInt8]
    private let ranges: [Range<Int>]

    var count: Int { ranges.count }

    /// Reads a btsnoop file of H4 packets whole. Nil where it is none.
    init?(capture path: String) {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        let capture = bytes.span.bytes
        let headLength = 16
        let recordHeadLength = 24
        guard capture.byteCount >= headLength, capture.bigEndian32(at: 12) == 1002 else { return nil }
        var ranges: [Range<Int>] = []
        var offset = headLength
        while offset + recordHeadLength <= capture.byteCount {
            let start = offset + recordHeadLength
            offset = start + Int(capture.bigEndian32(at: offset + 4))
            guard offset <= capture.byteCount else { return nil }
            ranges.append(start..<offset)
        }
        self.bytes = bytes
        self.ranges = ranges
    }

    /// Decodes every packet once, as a transport does, and hands on what is found.
    @inline(__always)
    func decode(_ body: (borrowing Sighting) -> Void) {
        var decoder = SightingDecoder()
        let bytes = bytes.span.bytes
        for range in ranges {
            decoder.decode(packet: bytes.extracting(range), at: nil, body)
        }
    }
}
