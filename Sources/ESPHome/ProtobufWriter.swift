/// Writes the fields of a message.
package struct ProtobufWriter: Sendable {
    package private(set) var octets: [UInt8] = []

    package init() {}

    package mutating func number(_ field: UInt64, _ value: UInt64) {
        octets += Varint.octets(field << 3) + Varint.octets(value)
    }

    package mutating func text(_ field: UInt64, _ value: String) {
        octets += Varint.octets(field << 3 | 2) + Varint.octets(UInt64(value.utf8.count)) + Array(value.utf8)
    }
}
