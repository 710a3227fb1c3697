import Beacon

/// Cuts a byte stream from a controller into event packets (Core Specification Vol 4, Part A).
///
/// A serial line loses and invents octets. When what should be a packet type is none, the framer hunts for the next
/// octets that can only be the head of an event, counts what it passed over, and goes on.
package struct H4Framer: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    private var isHunting = false
    /// Octets that belonged to no packet.
    package private(set) var skippedOctets = 0

    package init() {}

    /// Takes in octets and hands on every packet that is now whole, type octet first.
    package mutating func append(_ bytes: RawSpan, _ body: (RawSpan) -> Void) {
        bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
        while let length = nextPacketLength() {
            body(buffer.span.bytes.extracting(start..<start + length))
            start += length
        }
        buffer.removeFirst(start)
        start = 0
    }

    /// The length of the packet at `start`, or nil when more octets are needed.
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

/// What the octets at a place in the stream can be.
///
/// A host that opens no connection hears nothing but events from its controller. Whatever else seems to begin there is
/// noise, and believing its length would swallow what follows.
private enum H4Head {
    case length(Int)
    case needsMore
    case noPacket

    init(_ bytes: RawSpan, isHunting: Bool) {
        guard bytes.octet(at: 0) == PacketType.event.rawValue else {
            self = .noPacket
            return
        }
        guard bytes.byteCount >= 4 else {
            self = Self.short(bytes)
            return
        }
        let length = Int(bytes.octet(at: 2))
        let isPlausible = isHunting ? Self.isExpected(bytes) : Self.isAssigned(bytes.octet(at: 1))
        self = isPlausible ? .length(3 + length) : .noPacket
    }

    /// Up to three octets: an event without parameters is whole, all else waits.
    private static func short(_ bytes: RawSpan) -> H4Head {
        bytes.byteCount == 3 && bytes.octet(at: 2) == 0 ? .length(3) : .needsMore
    }

    /// Events have been assigned from below, and vendors use the top (Core Specification Vol 4, Part E, 7.7).
    private static func isAssigned(_ code: UInt8) -> Bool {
        (0x01...0x5F).contains(code) || code >= 0xF0
    }

    /// While hunting only the events that a scanner lives on count, and only with a length that they can have.
    private static func isExpected(_ bytes: RawSpan) -> Bool {
        let length = Int(bytes.octet(at: 2))
        switch EventCode(rawValue: bytes.octet(at: 1)) {
        case .leMeta:
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
