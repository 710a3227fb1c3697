import Beacon
import HCI

/// The text of `hcidump --raw`: a packet in hexadecimal, its H4 type first, twenty octets on a line.
///
///     > 04 3E 2B 02 01 03 01 …      received; `<` is sent
///       A4 95 DE …                  continues, indented by two blanks
///
/// `hcidump -t` prints the time before the arrow, as seconds since 1970 or, with `-V`, as local date and time (BlueZ,
/// tools/parser/parser.h, p_indent). The local time has no zone in the text and is read as UTC.
///
/// A packet ends when it has the octets that its header claims, or when the next packet begins. Other lines are
/// skipped, also in the middle of a packet.
struct HcidumpRecords: Sendable {
    static let longestLine = 64 * 1024
    /// An ACL packet of 65,535 octets with its header and type.
    private static let longestPacket = 65_540

    /// Whether the first packet had a time.
    let hasTimes: Bool

    private var lines = LineScanner()
    private var packet: [UInt8] = []
    /// The first line of `packet`, while octets of it are missing.
    private var open: Start?

    private struct Start {
        var time: Timestamp?
        var isReceived: Bool
        var offset: UInt64
        var line: Int
    }

    init(hasTimes: Bool) {
        self.hasTimes = hasTimes
    }

    mutating func next(
        _ buffer: inout CaptureBuffer, _ body: CaptureReader.RecordBody
    ) throws(CaptureError) -> Bool {
        while let line = try lines.next(&buffer, limit: Self.longestLine) {
            let unread = buffer.unread
            let text = unread.bytes.extracting(0..<line.length)
            switch HcidumpLine(text) {
            case .start where open != nil:
                // The previous packet will not become complete.
                lines.unread()
                deliver(body)
                return true
            case .start(let head):
                open = Start(
                    time: head.time, isReceived: head.isReceived, offset: buffer.offset, line: lines.line)
                packet.removeAll(keepingCapacity: true)
                packet.appendHex(text, from: head.octets)
            case .continuation where open != nil:
                packet.appendHex(text, from: 2)
            case .empty:
                buffer.consume(line.extent)
                continue
            case .broken:
                // The file may end in the middle of a line of hexadecimal.
                if line.isLast { throw buffer.error(.truncated, "the text ends within a packet", line: lines.line) }
                pass(line, &buffer, .malformed, body)
                return true
            case .continuation, .stray:
                if line.isLast, hasTimes, text.decimalDigit(at: 0) != nil {
                    throw buffer.error(.truncated, "the text ends within a time stamp", line: lines.line)
                }
                pass(line, &buffer, .strayLine, body)
                return true
            }
            buffer.consume(line.extent)
            if packet.isWholePacket || packet.count > Self.longestPacket {
                deliver(body)
                return true
            }
        }
        guard let open else { return false }
        self.open = nil
        throw buffer.error(
            .truncated, "the text ends within the packet that begins on line \(open.line)", line: lines.line)
    }

    /// Delivers a line that belongs to no packet, as skipped.
    private func pass(
        _ line: LineScanner.Line, _ buffer: inout CaptureBuffer, _ reason: SkipReason,
        _ body: CaptureReader.RecordBody
    ) {
        let unread = buffer.unread
        body(
            CapturedRecord(time: nil, offset: buffer.offset, line: lines.line, content: .skipped(reason)),
            unread.bytes.extracting(0..<line.length))
        buffer.consume(line.extent)
    }

    private mutating func deliver(_ body: CaptureReader.RecordBody) {
        guard let start = open else { return }
        open = nil
        let type = PacketType(rawValue: packet.first ?? 0)
        body(
            CapturedRecord(
                time: start.time, offset: start.offset, line: start.line,
                content: packet.count > 1 && packet.count <= Self.longestPacket
                    ? .hci(type, fromController: start.isReceived) : .skipped(.malformed)),
            packet.span.bytes.extracting(min(1, packet.count)..<packet.count))
    }
}

extension Array<UInt8> {
    /// Appends the octets of a text that `isHex` has accepted.
    fileprivate mutating func appendHex(_ text: RawSpan, from start: Int) {
        var high: UInt8?
        for offset in start..<text.byteCount {
            guard let digit = hexDigit(text.octet(at: offset)) else { continue }
            if let first = high {
                append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
    }

    /// Whether it has the octets that an H4 packet's header claims (Core Specification Vol 4, Part A, 2).
    fileprivate var isWholePacket: Bool {
        guard let first else { return false }
        switch PacketType(rawValue: first) {
        case .event: return count >= 3 && count >= 3 + Int(self[2])
        case .command, .synchronousData: return count >= 4 && count >= 4 + Int(self[3])
        case .aclData: return count >= 5 && count >= 5 + Int(self[3]) + Int(self[4]) << 8
        case .isoData: return count >= 5 && count >= 5 + Int(self[3]) + Int(self[4] & 0x3F) << 8
        default: return true
        }
    }
}
