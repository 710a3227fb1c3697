/// The type of an AD structure. An open set: Bluetooth SIG, Assigned Numbers, section 2.3.
package struct ADType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable package static var flags: Self { Self(rawValue: 0x01) }
    @inlinable package static var manufacturerSpecificData: Self { Self(rawValue: 0xFF) }
}

/// One AD structure: its type, and where its value stands in the payload it was read from.
package struct ADStructure: Hashable, Sendable {
    package var type: ADType
    package var data: Range<Int>

    @inlinable
    init(type: ADType, data: Range<Int>) {
        self.type = type
        self.data = data
    }
}

/// A walk over the AD structures of an advertising payload (Core Specification Vol 3, Part C, 11).
///
/// It holds only a position, never the bytes, so that a payload can stay borrowed:
///
///     var structures = ADStructures()
///     while let structure = structures.next(in: payload) { … }
///
/// A zero length ends the payload early, as the specification says. A structure that runs past the end is not
/// returned and sets `isMalformed`.
package struct ADStructures: Sendable {
    @usableFromInline var offset = 0

    /// A structure claimed more octets than the payload has.
    package var isMalformed = false

    @inlinable
    package init() {}

    @inlinable
    package mutating func next(in payload: RawSpan) -> ADStructure? {
        guard offset < payload.byteCount else { return nil }
        let length = Int(payload.octet(at: offset))
        let end = offset + 1 + length
        guard length > 0, end <= payload.byteCount else {
            isMalformed = isMalformed || length > 0
            offset = payload.byteCount
            return nil
        }
        let structure = ADStructure(
            type: ADType(rawValue: payload.octet(at: offset + 1)), data: offset + 2..<end)
        offset = end
        return structure
    }
}
