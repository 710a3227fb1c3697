import Beacon

/// Recognises the format of a file from its first bytes.
enum CaptureRecognition {
    case btsnoop
    case pcap(ByteOrder, hasNanoseconds: Bool)
    case pcapng
    case hcidump(isStamped: Bool)
    case observations(ObservationColumns)

    /// How many bytes of a text are searched for its first packet.
    private static let longestPreamble = 64 * 1024

    /// Consumes nothing. Reads only as far as necessary, so that a pipe is recognised as early as possible.
    static func recognise(_ buffer: inout CaptureBuffer) throws(CaptureError) -> Self {
        guard try buffer.has(1) else { throw buffer.error(ofFile: .empty, "it is empty: nothing was captured") }
        if try buffer.has(4) {
            let number = buffer.unread.bytes.bigEndian32(at: 0)
            if number == PcapngRecords.magic { return .pcapng }
            if let pcap = PcapRecords.recognise(number) {
                return .pcap(pcap.order, hasNanoseconds: pcap.hasNanoseconds)
            }
            if number >> 16 == 0x1F8B {
                throw buffer.error(ofFile: .unknownFormat, "it is compressed with gzip; unpack it first (gunzip, zcat)")
            }
        }
        if try buffer.has(BtsnoopRecords.magic.count), buffer.unread.starts(with: BtsnoopRecords.magic) {
            return .btsnoop
        }
        if let text = try recogniseText(&buffer) { return text }
        throw buffer.error(
            ofFile: .unknownFormat, "not a capture that is understood. Understood are: \(CaptureFormat.understood)")
    }

    /// The first line decides for observation CSV, the first packet for hcidump text.
    private static func recogniseText(_ buffer: inout CaptureBuffer) throws(CaptureError) -> Self? {
        var lineStart = 0
        var position = 0
        while position < longestPreamble {
            let isThere = try buffer.has(position + 1)
            let unread = buffer.unread
            if isThere, unread[position] == 0 { return nil }
            if !isThere || unread[position] == UInt8(ascii: "\n") {
                let hasReturn = position > lineStart && unread[position - 1] == UInt8(ascii: "\r")
                let line = unread.bytes.extracting(lineStart..<(hasReturn ? position - 1 : position))
                if lineStart == 0 {
                    if let columns = ObservationColumns(header: line) { return .observations(columns) }
                    if let separator = ObservationColumns.otherSeparator(header: line) {
                        throw buffer.error(
                            ofFile: .unknownFormat,
                            "a table whose columns are separated by \(separator), and commas are needed")
                    }
                }
                if case .start(let head) = HcidumpLine(line), head.isPacket(in: line) {
                    return .hcidump(isStamped: head.time != nil)
                }
                lineStart = position + 1
            }
            guard isThere else { return nil }
            position += 1
        }
        return nil
    }
}
