import Beacon

/// pcap, version 2 (IETF draft-ietf-opsawg-pcap, sections 4 and 5): in either byte order, with microseconds or
/// nanoseconds.
///
///     magic, 32 bits · major, minor, 16 bits each · two reserved · snap length · link type, 32 bits each
///     seconds · fraction · captured length · original length, 32 bits each · packet
struct PcapRecords: Sendable {
    static let headLength = 24
    static let recordHeadLength = 16

    let linkType: LinkType
    private let order: ByteOrder
    private let hasNanoseconds: Bool

    /// Byte order and resolution, if the first four bytes are pcap's.
    static func recognise(_ magic: UInt32) -> (order: ByteOrder, hasNanoseconds: Bool)? {
        switch magic {
        case 0xA1B2_C3D4: (.big, false)
        case 0xD4C3_B2A1: (.little, false)
        case 0xA1B2_3C4D: (.big, true)
        case 0x4D3C_B2A1: (.little, true)
        default: nil
        }
    }

    /// Reads the file header.
    init(
        _ buffer: inout CaptureBuffer, order: ByteOrder, hasNanoseconds: Bool
    ) throws(CaptureError) {
        guard try buffer.has(Self.headLength) else {
            throw buffer.error(.truncated, "the file ends within pcap's head")
        }
        let unread = buffer.unread
        let head = unread.bytes
        let version = order.read16(head, at: 4)
        guard version == 2 else {
            throw buffer.error(ofFile: .unsupported, "pcap version \(version); only version 2 is understood")
        }
        // The upper bits describe checksums at the end of the frame, which Bluetooth does not use.
        let number = UInt16(truncatingIfNeeded: order.read32(head, at: 20))
        guard let linkType = LinkType(rawValue: number) else {
            throw buffer.error(ofFile: .unsupported, LinkType.complaint(number))
        }
        self.linkType = linkType
        self.order = order
        self.hasNanoseconds = hasNanoseconds
        buffer.consume(Self.headLength)
    }

    /// Whether there is a file header where a record header should be. Its two reserved numbers are 0, like the lengths
    /// of a record without a packet.
    private static func isHead(_ bytes: RawSpan) -> Bool {
        guard let order = recognise(bytes.bigEndian32(at: 0))?.order else { return false }
        return order.read16(bytes, at: 4) == 2 && bytes.bigEndian32(at: 8) == 0 && bytes.bigEndian32(at: 12) == 0
    }

    func next(_ buffer: inout CaptureBuffer, _ body: CaptureReader.RecordBody) throws(CaptureError) -> Bool {
        guard try buffer.hasHead(Self.recordHeadLength) else { return false }
        let length = Int(order.read32(buffer.unread.bytes, at: 8))
        guard length > 0 || !Self.isHead(buffer.unread.bytes) else {
            throw buffer.error(.damaged, CaptureError.anotherFile)
        }
        let extent = try buffer.wholeRecord(head: Self.recordHeadLength, claiming: length)
        let unread = buffer.unread
        let bytes = unread.bytes
        let fraction = Int64(order.read32(bytes, at: 4))
        let time = Timestamp(
            microseconds: Int64(order.read32(bytes, at: 0)) * 1_000_000
                + (hasNanoseconds ? fraction / 1000 : fraction))
        linkType.deliver(
            bytes.extracting(Self.recordHeadLength..<extent), time: time, offset: buffer.offset, to: body)
        buffer.consume(extent)
        return true
    }
}

extension LinkType {
    static func complaint(_ number: UInt16) -> String {
        """
        link type \(number) is not understood; 187, 201, 251, 254, 256 and 272 are \
        (Bluetooth HCI, Linux monitor, Bluetooth LE link layer, nRF Sniffer)
        """
    }
}

/// The order of the bytes in a number.
enum ByteOrder: Sendable {
    case big
    case little

    @inline(__always)
    func read16(_ bytes: RawSpan, at offset: Int) -> UInt16 {
        self == .big ? bytes.bigEndian16(at: offset) : bytes.littleEndian16(at: offset)
    }

    @inline(__always)
    func read32(_ bytes: RawSpan, at offset: Int) -> UInt32 {
        self == .big ? bytes.bigEndian32(at: offset) : bytes.littleEndian32(at: offset)
    }

    @inline(__always)
    func read64(_ bytes: RawSpan, at offset: Int) -> UInt64 {
        self == .big ? bytes.bigEndian64(at: offset) : bytes.littleEndian64(at: offset)
    }
}
