import Beacon
import HCI

/// btsnoop, version 1: the snoop format (RFC 1761) with Bluetooth's datalinks and 64-bit times. All big-endian.
///
///     "btsnoop" 0 · version, 32 bits · datalink, 32 bits
///     original length · included length · flags · cumulative drops, each 32 bits · time, 64 bits · packet
struct BtsnoopRecords: Sendable {
    static let magic: [UInt8] = Array("btsnoop\0".utf8)
    static let headLength = 16
    static let recordHeadLength = 24
    /// 1970-01-01 in btsnoop's microseconds, which count from the year 0.
    static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    let datalink: BtsnoopDatalink

    /// Reads the file header.
    init(_ buffer: inout CaptureBuffer) throws(CaptureError) {
        guard try buffer.has(Self.headLength) else {
            throw buffer.error(.truncated, "the file ends within btsnoop's head")
        }
        let unread = buffer.unread
        let head = unread.bytes
        let version = head.bigEndian32(at: 8)
        let number = head.bigEndian32(at: 12)
        guard version == 1 else {
            throw buffer.error(ofFile: .unsupported, "btsnoop version \(version); only version 1 is understood")
        }
        guard let datalink = BtsnoopDatalink(rawValue: number) else {
            throw buffer.error(
                ofFile: .unsupported, "btsnoop datalink \(number) is not understood; 1001, 1002 and 2001 are")
        }
        self.datalink = datalink
        buffer.consume(Self.headLength)
    }

    func next(_ buffer: inout CaptureBuffer, _ body: CaptureReader.RecordBody) throws(CaptureError) -> Bool {
        guard try buffer.hasHead(Self.recordHeadLength) else { return false }
        let length = Int(buffer.unread.bytes.bigEndian32(at: 4))
        // If another file was appended, the second half of its magic is where a record has its length.
        guard length <= CaptureBuffer.capacity || !buffer.unread.starts(with: Self.magic) else {
            throw buffer.error(.damaged, CaptureError.anotherFile)
        }
        let extent = try buffer.wholeRecord(head: Self.recordHeadLength, claiming: length)
        let unread = buffer.unread
        let bytes = unread.bytes
        let flags = bytes.bigEndian32(at: 8)
        let time = Timestamp(microseconds: Int64(bitPattern: bytes.bigEndian64(at: 16)) &- Self.unixEpoch)
        var start = Self.recordHeadLength
        var adapter: UInt16 = 0
        let content: CapturedRecord.Content
        switch datalink {
        case .h4 where length > 1:
            content = .hci(PacketType(rawValue: bytes.octet(at: start)), fromController: flags & 1 == 1)
            start += 1
        case .unencapsulated where length > 0:
            let isFromController = flags & 1 == 1
            let type: PacketType = flags & 2 == 0 ? .aclData : isFromController ? .event : .command
            content = .hci(type, fromController: isFromController)
        case .monitor:
            adapter = UInt16(truncatingIfNeeded: flags >> 16)
            content = MonitorOpcode(rawValue: UInt16(truncatingIfNeeded: flags)).content
        case .h4, .unencapsulated:
            content = .skipped(.malformed)
        }
        body(
            CapturedRecord(time: time, adapter: adapter, offset: buffer.offset, content: content),
            bytes.extracting(start..<extent))
        buffer.consume(extent)
        return true
    }
}

/// The kind of records in a btsnoop file.
enum BtsnoopDatalink: UInt32, Sendable {
    /// Packets without their H4 type; the flags give the type.
    case unencapsulated = 1001
    case h4 = 1002
    /// Packets without their H4 type, and notes of the kernel; the flags hold the adapter and an opcode.
    case monitor = 2001

    var name: String {
        switch self {
        case .unencapsulated: "HCI without packet types"
        case .h4: "HCI H4"
        case .monitor: "Linux Bluetooth monitor"
        }
    }
}
