/// The type of an AD structure. An open set: Bluetooth SIG, Assigned Numbers, section 2.3.
public struct ADType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var flags: Self { Self(rawValue: 0x01) }
    @inlinable public static var serviceData16: Self { Self(rawValue: 0x16) }
    @inlinable public static var manufacturerSpecificData: Self { Self(rawValue: 0xFF) }
}

/// One AD structure: its type, and the position of its value in the payload that it was read from.
public struct ADStructure: Hashable, Sendable {
    public var type: ADType
    public var data: Range<Int>

    @inlinable
    init(type: ADType, data: Range<Int>) {
        self.type = type
        self.data = data
    }
}

/// An iteration over the AD structures of an advertising payload (Core Specification Vol 3, Part C, 11).
///
/// It holds only a position, never the bytes, so that a payload can stay borrowed:
///
///     var structures = ADStructures()
///     while let structure = structures.next(in: payload) { … }
///
/// A zero length ends the payload early, as the specification says. A structure that runs past the end is not
/// returned and sets `isMalformed`.
public struct ADStructures: Sendable {
    @usableFromInline var offset = 0

    /// A structure claimed more octets than the payload has.
    public var isMalformed = false

    @inlinable
    public init() {}

    @inlinable
    public mutating func next(in payload: RawSpan) -> ADStructure? {
        let left = payload.byteCount &- offset
        // Length and type are read together. A single octet at the end can only be a length, with nothing after it.
        guard left >= 2 else {
            return end(of: payload, length: left == 1 ? Int(payload.octet(at: offset)) : 0)
        }
        let head = payload.littleEndian16(at: offset)
        let length = Int(head & 0xFF)
        guard length > 0, length < left else { return end(of: payload, length: length) }
        let start = offset &+ 2
        offset &+= 1 &+ length
        return ADStructure(
            type: ADType(rawValue: UInt8(truncatingIfNeeded: head >> 8)),
            data: Range(uncheckedBounds: (lower: start, upper: offset)))
    }

    /// - Parameter length: the length of a structure that runs past the end; 0 if the payload ends properly.
    @inlinable @inline(__always)
    mutating func end(of payload: RawSpan, length: Int) -> ADStructure? {
        isMalformed = isMalformed || length > 0
        offset = payload.byteCount
        return nil
    }
}
