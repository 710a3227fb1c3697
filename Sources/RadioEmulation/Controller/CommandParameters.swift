import Beacon

/// Reads a command's parameters in order. Past the end it reads zeros, because lengths are checked before.
struct CommandParameters {
    private let octets: [UInt8]
    private var offset = 0

    init(_ octets: [UInt8]) {
        self.octets = octets
    }

    var count: Int { octets.count }

    mutating func octet() -> UInt8 {
        defer { offset += 1 }
        return offset < octets.count ? octets[offset] : 0
    }

    mutating func uint16() -> UInt16 {
        UInt16(octet()) | UInt16(octet()) << 8
    }

    mutating func uint24() -> UInt32 {
        UInt32(uint16()) | UInt32(octet()) << 16
    }

    mutating func uint64() -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<8 {
            value |= UInt64(octet()) << UInt64(8 * index)
        }
        return value
    }

    mutating func address() -> DeviceAddress {
        var value: UInt64 = 0
        for index in 0..<6 {
            value |= UInt64(octet()) << UInt64(8 * index)
        }
        return DeviceAddress(value)
    }

    /// The next `count` octets, or fewer at the end.
    mutating func octets(_ count: Int) -> [UInt8] {
        defer { offset += count }
        return Array(octets.dropFirst(offset).prefix(count))
    }
}
