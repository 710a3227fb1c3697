/// The fields of a message in the wire format of Protocol Buffers (protobuf.dev, "Encoding"), one by one.
///
/// Unknown fields are included. At an error the iteration ends, and `isMalformed` is true.
package struct ProtobufFields {
    package enum Value: Hashable, Sendable {
        case number(UInt64)
        /// The position of a text, of octets or of an embedded message.
        case octets(Range<Int>)
        /// Fixed 32 and 64 bits; no message here uses them.
        case other
    }

    package struct Field: Hashable, Sendable {
        package var number: UInt64
        package var value: Value
    }

    private let octets: [UInt8]
    private var position: Int
    private let end: Int
    package private(set) var isMalformed = false

    package init(_ octets: [UInt8], in range: Range<Int>? = nil) {
        self.octets = octets
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? octets.count
    }

    /// Nil at the end, or after an error.
    package mutating func next() -> Field? {
        guard position < end, !isMalformed else { return nil }
        guard let tag = number(), tag >> 3 > 0, let value = value(tag & 7) else {
            isMalformed = true
            return nil
        }
        return Field(number: tag >> 3, value: value)
    }

    private mutating func value(_ type: UInt64) -> Value? {
        switch type {
        case 0: return number().map(Value.number)
        case 1: return skip(8)
        case 2:
            guard let count = number(), count <= UInt64(end - position) else { return nil }
            position += Int(count)
            return .octets(position - Int(count)..<position)
        case 5: return skip(4)
        // Groups are not used any more.
        default: return nil
        }
    }

    private mutating func skip(_ count: Int) -> Value? {
        guard count <= end - position else { return nil }
        position += count
        return .other
    }

    private mutating func number() -> UInt64? {
        Varint.read(octets[..<end], at: &position)
    }
}
