import Beacon

/// Cuts a byte stream from a controller into H4 packets (Core Specification Vol 4, Part A).
///
/// A serial line loses and invents octets. When what should be a packet type is none, the framer hunts for the next
/// octets that can only be the head of an event, counts what it passed over, and goes on.
public struct H4Framer: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    private var isHunting = false
    /// Octets that belonged to no packet.
    public private(set) var skippedOctets = 0

    public init() {}

    /// Takes in octets and hands on every packet that is now whole, type octet first.
    public mutating func append(_ bytes: RawSpan, _ body: (RawSpan) -> Void) {
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
private enum H4Head {
    case length(Int)
    case needsMore
    case noPacket

    /// More than any controller's buffers hold; a greater length is noise.
    private static let longestData = 4096

    init(_ bytes: RawSpan, isHunting: Bool) {
        let count = bytes.byteCount
        switch PacketType(rawValue: bytes.octet(at: 0)) {
        case .event:
            if isHunting {
                self = Self.hunted(bytes)
            } else {
                self = count < 3 ? .needsMore : .length(3 + Int(bytes.octet(at: 2)))
            }
        case .command where !isHunting:
            self = count < 4 ? .needsMore : .length(4 + Int(bytes.octet(at: 3)))
        case .synchronousData where !isHunting:
            self = count < 4 ? .needsMore : .length(4 + Int(bytes.octet(at: 3)))
        case .aclData where !isHunting, .isoData where !isHunting:
            guard count >= 5 else {
                self = .needsMore
                return
            }
            let length = Int(bytes.littleEndian16(at: 3)) & 0x3FFF
            self = length <= Self.longestData ? .length(5 + length) : .noPacket
        default:
            self = .noPacket
        }
    }

    /// While hunting only the events that a scanner lives on count, and only with a length that they can have.
    private static func hunted(_ bytes: RawSpan) -> H4Head {
        guard bytes.byteCount >= 4 else { return .needsMore }
        let length = Int(bytes.octet(at: 2))
        let isPlausible =
            switch EventCode(rawValue: bytes.octet(at: 1)) {
            case .leMeta:
                switch LESubevent(rawValue: bytes.octet(at: 3)) {
                case .advertisingReport: length >= 12
                case .extendedAdvertisingReport: length >= 26
                default: false
                }
            case .commandComplete: length >= 4
            case .commandStatus: length == 4
            default: false
            }
        return isPlausible ? .length(3 + length) : .noPacket
    }
}
