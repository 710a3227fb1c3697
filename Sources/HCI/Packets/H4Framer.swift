import Beacon

/// Splits an octet stream from a controller into event packets (Core Specification Vol 4, Part A).
///
/// A serial line can lose and insert octets. When an octet that must be a packet type is not one, the framer searches
/// for the next octets that can only be the start of an event, counts the octets that it skipped, and continues.
package struct H4Framer: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    private var isHunting = false
    /// Octets that belonged to no packet.
    package private(set) var skippedOctets = 0

    package init() {}

    /// Adds octets and calls `body` with each packet that is now complete, type octet first.
    package mutating func append(_ bytes: RawSpan, _ body: (RawSpan) -> Void) {
        bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
        while let length = nextPacketLength() {
            body(buffer.span.bytes.extracting(start..<start + length))
            start += length
        }
        buffer.removeFirst(start)
        start = 0
    }

    /// The length of the packet at `start`, or nil if more octets are needed.
    private mutating func nextPacketLength() -> Int? {
        while start < buffer.count {
            let head = H4Head(buffer.span.bytes.extracting(start..<buffer.count), isHunting: isHunting)
            switch head {
            case .length(let length):
                guard length <= buffer.count - start else { return nil }
                isHunting = false
                return length
            case .needsMore:
                return nil
            case .noPacket:
                isHunting = true
                start += 1
                skippedOctets += 1
            }
        }
        return nil
    }
}

/// What the octets at a position in the stream can be.
///
/// A host that opens no connection receives only events from its controller. Any other packet type is noise, and
/// trusting its length would swallow the packets that follow.
private enum H4Head {
    case length(Int)
    case needsMore
    case noPacket

    init(_ bytes: RawSpan, isHunting: Bool) {
        guard bytes.octet(at: 0) == PacketType.event.rawValue else {
            self = .noPacket
            return
        }
        // An event without parameters has no fourth octet, and must not wait for the next packet.
        guard bytes.byteCount >= 4 || bytes.byteCount == 3 && bytes.octet(at: 2) == 0 else {
            self = .needsMore
            return
        }
        let length = Int(bytes.octet(at: 2))
        let isPlausible = isHunting ? Self.isExpected(bytes) : Self.isAssigned(bytes.octet(at: 1))
        self = isPlausible ? .length(3 + length) : .noPacket
    }

    /// Standard event codes are the low numbers, vendors use the high ones (Core Specification Vol 4, Part E, 7.7).
    private static func isAssigned(_ code: UInt8) -> Bool {
        (0x01...0x5F).contains(code) || code >= 0xF0
    }

    /// While searching, accepts only the events that a scanner needs, and only with a length that they can have.
    private static func isExpected(_ bytes: RawSpan) -> Bool {
        let length = Int(bytes.octet(at: 2))
        switch EventCode(rawValue: bytes.octet(at: 1)) {
        case .leMeta where length > 0:
            switch LESubevent(rawValue: bytes.octet(at: 3)) {
            case .advertisingReport: return length >= 12
            case .extendedAdvertisingReport: return length >= 26
            default: return false
            }
        case .commandComplete: return length >= 4
        case .commandStatus: return length == 4
        default: return false
        }
    }
}
